import { describe, expect, it } from 'vitest';
import { EmbedQueue } from './embed-queue.js';

const BATCH_TOKENS = 72;

function vectorsOf(texts: readonly string[]): Float32Array[] {
  return texts.map((text) => Float32Array.of(Number(text.split(' ')[0])));
}

/** Processes the whole queue and returns its batches. */
function workOff(queue: EmbedQueue): string[][] {
  const batches: string[][] = [];
  for (let batch = queue.take(BATCH_TOKENS); batch !== undefined; batch = queue.take(BATCH_TOKENS)) {
    batches.push(batch.texts);
    batch.resolve(vectorsOf(batch.texts));
  }
  return batches;
}

function numbered(count: number, tail = 'some words'): string[] {
  return Array.from({ length: count }, (_, i) => `${i} ${tail}`);
}

describe('the embed queue', () => {
  it('returns vectors in the order of the texts', async () => {
    const queue = new EmbedQueue();
    const texts = numbered(30).map((text, i) => text + ' word'.repeat((i * 11) % 40));
    const call = queue.add(texts);
    workOff(queue);
    expect(await call).toEqual(vectorsOf(texts));
  });

  it('puts texts of similar length together', () => {
    const queue = new EmbedQueue();
    void queue.add(['1 short', `2 ${'long '.repeat(60)}`, '3 short', '4 short', `5 ${'long '.repeat(61)}`]);
    expect(workOff(queue).map((texts) => texts.map((text) => text[0]))).toEqual([['1', '3', '4'], ['2'], ['5']]);
  });

  it('combines the texts of several calls', () => {
    const queue = new EmbedQueue();
    for (const text of numbered(5, 'x')) void queue.add([text]);
    expect(workOff(queue)).toEqual([numbered(5, 'x')]);
  });

  it('takes queries before passages that came earlier', () => {
    const queue = new EmbedQueue();
    void queue.add(numbered(40));
    queue.take(BATCH_TOKENS);
    void queue.add(['99 query'], { purpose: 'query' });
    expect(queue.take(BATCH_TOKENS)?.texts).toEqual(['99 query']);
  });

  it('lets passages through even if queries never end', () => {
    const queue = new EmbedQueue();
    void queue.add(['7 passage']);
    const taken: string[] = [];
    for (let i = 0; i < 12; i++) {
      void queue.add([`${i} query`], { purpose: 'query' });
      taken.push(...(queue.take(BATCH_TOKENS)?.texts ?? []));
    }
    expect(taken).toContain('7 passage');
  });

  it('rotates between calls of passages, so that a small one need not wait for a large one', async () => {
    const queue = new EmbedQueue();
    void queue.add(numbered(200));
    queue.take(BATCH_TOKENS);
    const small = queue.add([`5 ${'quite long '.repeat(20)}`]);
    for (let i = 0; i < 2; i++) {
      const batch = queue.take(BATCH_TOKENS);
      batch?.resolve(vectorsOf(batch.texts));
    }
    expect(await small).toEqual([Float32Array.of(5)]);
  });

  it('drops aborted calls only', async () => {
    const queue = new EmbedQueue();
    const controller = new AbortController();
    const aborted = queue.add(numbered(20), { signal: controller.signal });
    const kept = queue.add(['77 kept']);
    const running = queue.take(BATCH_TOKENS);
    controller.abort(new Error('changed my mind'));
    await expect(aborted).rejects.toThrow('changed my mind');
    running?.resolve(vectorsOf(running.texts));
    workOff(queue);
    expect(await kept).toEqual([Float32Array.of(77)]);
    expect(queue.isEmpty).toBe(true);
  });

  it('rejects a failed batch as a whole, and the rest of its calls', async () => {
    const queue = new EmbedQueue();
    const call = queue.add(numbered(40));
    queue.take(BATCH_TOKENS)?.reject(new Error('broken'));
    await expect(call).rejects.toThrow('broken');
    expect(queue.isEmpty).toBe(true);
  });

  it('rejects all open calls', async () => {
    const queue = new EmbedQueue();
    const calls = [queue.add(numbered(1)), queue.add(numbered(40)), queue.add(['1'], { purpose: 'query' })];
    queue.take(BATCH_TOKENS);
    queue.rejectAll(new Error('closed'));
    for (const result of await Promise.allSettled(calls)) expect(result.status).toBe('rejected');
    expect(queue.isEmpty).toBe(true);
  });
});
