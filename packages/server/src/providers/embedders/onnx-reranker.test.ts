import { rm } from 'node:fs/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type OnnxReranker, openOnnxReranker } from './onnx-reranker.js';
import { tinyRanker, unknownOperator, writeTinyModel } from './test-support/tiny-model.js';

const directories: string[] = [];
const open: OnnxReranker[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true });
});

async function tiny(files: Record<string, unknown> = {}): Promise<string> {
  const directory = await writeTinyModel({ 'model.onnx': tinyRanker(), ...files });
  directories.push(directory);
  return directory;
}

async function start(directory: string): Promise<OnnxReranker> {
  const { reranker, loaded } = await openOnnxReranker(directory);
  open.push(reranker);
  await loaded;
  return reranker;
}

const never = new AbortController().signal;

describe('a reranker in a directory', () => {
  it('reads each passage together with the query, as the second part', async () => {
    const reranker = await start(await tiny());
    expect(reranker.isReady).toBe(true);
    expect(reranker.describe()).toMatchObject({ kind: 'onnx', status: 'ready' });
    expect(await reranker.rank('milk milk', ['tea', 'milk', '', 'tea milk tea'], never)).toEqual([1, 5, 0, 7]);
    expect(await reranker.rank('tea', [], never)).toEqual([]);
  });

  it('cuts the end of a passage that is too long, and never all of it', async () => {
    const reranker = await start(await tiny({ 'sentence_bert_config.json': { max_seq_length: 6 } }));
    expect(await reranker.rank('tea', ['tea tea tea tea tea tea milk'], never)).toEqual([2]);
    const whole = await start(await tiny());
    expect(await whole.rank('tea '.repeat(5000), ['milk'], never)).toEqual([5]);
  });

  it('accepts every text', async () => {
    const reranker = await start(await tiny());
    const awkward = ['', '\u0000', '\ud800', '😀'.repeat(300), 'x'.repeat(1_000_000)];
    for (const query of awkward) expect(await reranker.rank(query, awkward, never)).toHaveLength(awkward.length);
  });

  it('ends a call that is given up after the current pair, and answers the next', async () => {
    const reranker = await start(await tiny());
    const giving = new AbortController();
    const call = reranker.rank('tea', Array(100_000).fill('milk'), giving.signal);
    const next = reranker.rank('tea', ['milk'], never);
    giving.abort(new Error('too late'));
    await expect(call).rejects.toThrow('too late');
    expect(await next).toEqual([5]);
  });

  it('rejects calls after it is closed, and can be closed twice', async () => {
    const reranker = await start(await tiny());
    await reranker.close();
    await expect(reranker.rank('tea', ['milk'], never)).rejects.toMatchObject({ code: 'closed' });
  });

  it.each([
    ['has no model', { 'model.onnx': undefined }, /has no model/],
    ['cannot be run', { 'model.onnx': unknownOperator() }, /NoSuchOperator/],
    ['is no model', { 'model.onnx': Buffer.from('no') }, /cannot be used/],
    ['has no tokenizer', { 'tokenizer.json': undefined }, /has no tokenizer/],
  ])('is refused if it %s', async (_, files, message) => {
    await expect(start(await tiny(files))).rejects.toThrow(message);
  });

  it('is refused if it does not return one number, and says so afterwards', async () => {
    const directory = await writeTinyModel();
    directories.push(directory);
    const { reranker, loaded } = await openOnnxReranker(directory);
    await expect(loaded).rejects.toThrow('is no reranker');
    expect(reranker.isReady).toBe(false);
    expect(reranker.describe()).toMatchObject({ status: 'failed', note: expect.stringContaining('is no reranker') });
    await expect(reranker.rank('tea', ['milk'], never)).rejects.toThrow('is no reranker');
    await reranker.close();
  });
});
