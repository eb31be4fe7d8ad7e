import { describe, expect, it } from 'vitest';
import { EmbedQueue } from './embed-queue.js';

function vectorOf(text: string): Float32Array {
  return Float32Array.of(Number(text.split(' ')[0]));
}

/** Processes the whole queue and returns its texts in the order in which they were taken. */
function workOff(queue: EmbedQueue): string[] {
  const texts: string[] = [];
  for (let turn = queue.take(); turn !== undefined; turn = queue.take()) {
    texts.push(turn.text);
    turn.resolve(vectorOf(turn.text));
  }
  return texts;
}

function numbered(count: number, tail = 'some words'): string[] {
  return Array.from({ length: count }, (_, i) => `${i} ${tail}`);
}

describe('the embed queue', () => {
  it('returns vectors in the order of the texts', async () => {
    const queue = new EmbedQueue();
    const texts = numbered(30);
    const call = queue.add(texts);
    workOff(queue);
    expect(await call).toEqual(texts.map(vectorOf));
  });

  it('takes queries before passages that came earlier', () => {
    const queue = new EmbedQueue();
    void queue.add(numbered(40));
    queue.take();
    void queue.add(['99 query'], { purpose: 'query' });
    expect(queue.take()?.text).toBe('99 query');
  });

  it('lets passages through even if queries never end', () => {
    const queue = new EmbedQueue();
    void queue.add(['7 passage']);
    const taken: (string | undefined)[] = [];
    for (let i = 0; i < 12; i++) {
      void queue.add([`${i} query`], { purpose: 'query' });
      taken.push(queue.take()?.text);
    }
    expect(taken).toContain('7 passage');
  });

  it('lets a short call of passages wait for no query that came after it', () => {
    const queue = new EmbedQueue();
    void queue.add(['1 query'], { purpose: 'query' });
    void queue.add(['2 passage', '3 passage']);
    for (let i = 4; i < 20; i++) void queue.add([`${i} query`], { purpose: 'query' });
    expect(
      workOff(queue)
        .slice(0, 4)
        .map((text) => text.split(' ')[0]),
    ).toEqual(['1', '2', '4', '5']);
  });

  it('works off what many wait for in order, if it comes faster than that', () => {
    const queue = new EmbedQueue();
    const waited = { query: [] as number[], passage: [] as number[] };
    for (let at = 0; at < 1000; at++) {
      // Of eleven texts, four are passages, and ten are embedded in the meantime.
      const purpose = at % 11 < 4 ? 'passage' : 'query';
      void queue.add([`${at}`], { purpose });
      if (at % 11 === 10) continue;
      const turn = Number(queue.take()?.text);
      waited[turn % 11 < 4 ? 'passage' : 'query'].push(at - turn);
    }
    expect(Math.max(...waited.passage)).toBeLessThan(1000 / 11 + 2);
  });

  it('rotates between calls of passages, so that a small one need not wait for a large one', async () => {
    const queue = new EmbedQueue();
    void queue.add(numbered(200));
    queue.take();
    const small = queue.add(['5 quite long']);
    for (let i = 0; i < 2; i++) {
      const turn = queue.take();
      turn?.resolve(vectorOf(turn.text));
    }
    expect(await small).toEqual([Float32Array.of(5)]);
  });

  it('drops aborted calls only', async () => {
    const queue = new EmbedQueue();
    const controller = new AbortController();
    const aborted = queue.add(numbered(20), { signal: controller.signal });
    const running = queue.take();
    const kept = queue.add(['77 kept']);
    controller.abort(new Error('changed my mind'));
    await expect(aborted).rejects.toThrow('changed my mind');
    running?.resolve(vectorOf(running.text));
    expect(workOff(queue)).toEqual(['77 kept']);
    expect(await kept).toEqual([Float32Array.of(77)]);
    expect(queue.isEmpty).toBe(true);
  });

  it('rejects a call as a whole if one of its texts fails', async () => {
    const queue = new EmbedQueue();
    const call = queue.add(numbered(40));
    const turn = queue.take();
    const other = queue.add(['3 another call']);
    turn?.reject(new Error('broken'));
    await expect(call).rejects.toThrow('broken');
    expect(workOff(queue)).toEqual(['3 another call']);
    expect(await other).toEqual([Float32Array.of(3)]);
  });

  it('rejects all open calls', async () => {
    const queue = new EmbedQueue();
    const calls = [queue.add(numbered(1)), queue.add(numbered(40)), queue.add(['1'], { purpose: 'query' })];
    queue.take();
    queue.rejectAll(new Error('closed'));
    for (const result of await Promise.allSettled(calls)) expect(result.status).toBe('rejected');
    expect(queue.isEmpty).toBe(true);
  });
});
