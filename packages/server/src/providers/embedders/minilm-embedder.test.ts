import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embedderContract } from './embedder-contract.js';
import { LocalEmbedder } from './local-embedder.js';
import { openMinilmEmbedder } from './minilm-embedder.js';
import { MINILM_MODEL } from './minilm-model.js';
import { ModelThread } from './model-thread.js';
import { cosine } from './test-support/cosine.js';
import { SAMPLE_TEXTS } from './test-support/sample-texts.js';

let cacheDirectory: string;
beforeAll(async () => {
  cacheDirectory = await mkdtemp(join(tmpdir(), 'memhall-minilm-'));
});
afterAll(() => rm(cacheDirectory, { recursive: true }));

embedderContract('minilm on the native runtime', () => openMinilmEmbedder({ runtime: 'native', cacheDirectory }));
embedderContract('minilm on WebAssembly', () => openMinilmEmbedder({ runtime: 'wasm' }));

describe('minilm', () => {
  let native: LocalEmbedder;
  beforeAll(async () => {
    native = await openMinilmEmbedder({ cacheDirectory });
  });
  afterAll(() => native.close());

  it('uses the native runtime by default, and says so', () => {
    expect(native.describe()).toEqual({
      kind: 'minilm',
      model: 'all-MiniLM-L6-v2',
      dimension: 384,
      runtime: 'onnxruntime-node 1.30.0',
      status: 'ready',
    });
  });

  it('gives nearly the same vectors on both runtimes', async () => {
    const wasm = await openMinilmEmbedder({ runtime: 'wasm' });
    const [ours, theirs] = await Promise.all([native.embed(SAMPLE_TEXTS), wasm.embed(SAMPLE_TEXTS)]);
    await wasm.close();
    const cosines = ours.map((vector, i) => cosine(vector, theirs[i] as Float32Array));
    expect(Math.min(...cosines)).toBeGreaterThan(0.985);
    expect(cosines.reduce((sum, value) => sum + value) / cosines.length).toBeGreaterThan(0.995);
  });

  it('gives a text the same vector in any batch', async () => {
    const together = await native.embed(SAMPLE_TEXTS);
    for (const [i, text] of SAMPLE_TEXTS.entries()) {
      const [alone] = await native.embed([text]);
      expect(together[i]).toEqual(alone);
    }
  });

  it('rates related texts closer than unrelated ones', async () => {
    const [query, near, far] = await native.embed([
      'What does the user like to drink?',
      'She always starts the day with a cup of green tea.',
      'The train to Hamburg was two hours late.',
    ]);
    expect(cosine(query as Float32Array, near as Float32Array)).toBeGreaterThan(
      cosine(query as Float32Array, far as Float32Array) + 0.1,
    );
  });

  it('reads no further than 256 word pieces', async () => {
    const start = 'word '.repeat(254);
    const [first, second, third] = await native.embed([`${start}apple`, `${start}banana`, 'word '.repeat(253)]);
    expect(first).toEqual(second);
    expect(first).not.toEqual(third);
  });

  it('embeds a query while many passages wait', async () => {
    const passages = Array.from({ length: 300 }, (_, i) => `The user mentioned fact number ${i} last week`);
    let isBulkDone = false;
    const bulk = native.embed(passages).then(() => {
      isBulkDone = true;
    });
    await native.embed(['What did the user mention?'], { purpose: 'query' });
    expect(isBulkDone).toBe(false);
    await bulk;
  });

  it('rejects an invalid number of threads', async () => {
    await expect(openMinilmEmbedder({ threads: 0 })).rejects.toMatchObject({ code: 'misconfigured' });
  });
});

describe('a lost thread', () => {
  it('fails the open calls and is replaced at the next call', async () => {
    const options = { runtime: 'native', threads: 1, cacheDirectory } as const;
    const about = { kind: 'minilm', model: MINILM_MODEL, prefixes: { query: '', passage: '' } };
    const crashing = new URL('./test-support/crashing-worker.mjs', import.meta.url);
    const embedder = new LocalEmbedder(about, options, await ModelThread.start(options, crashing));
    const calls = [embedder.embed(['one']), embedder.embed(['two'], { purpose: 'query' })];
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unavailable', retryable: true } });
    }
    expect(await embedder.embed(['three'])).toHaveLength(1);
    expect(embedder.describe().runtime).toContain('onnxruntime-node');
    await embedder.close();
  });
});
