import { describe, expect, it } from 'vitest';
import type { Embedder, EmbedOptions } from '../../ports/embedder.js';
import { EmbedderError } from '../../ports/embedder-error.js';
import { CachingEmbedder } from './caching-embedder.js';
import { embedderContract } from './embedder-contract.js';
import { openMinilmEmbedder } from './minilm-embedder.js';

embedderContract('a cached embedder', async () => new CachingEmbedder(await openMinilmEmbedder()));

/** Resolves on command, and records its calls. */
class HandDrivenEmbedder implements Embedder {
  readonly model = 'hand-driven';
  readonly dimension = 1;
  readonly local = false;
  readonly calls: { texts: readonly string[]; options: EmbedOptions; finish(): void; fail(): void }[] = [];

  constructor(readonly distinguishesPurpose = false) {}

  embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    return new Promise((resolve, reject) => {
      const finish = () => resolve(texts.map((text) => Float32Array.of(text.length)));
      const fail = () => reject(new EmbedderError('unavailable', 'down'));
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason));
      this.calls.push({ texts, options, finish, fail });
    });
  }

  readonly isReady = true;

  describe() {
    return { kind: 'test', model: this.model, dimension: 1, runtime: 'test', status: 'ready' as const };
  }

  async close(): Promise<void> {}
}

function setup(maxEntries = 10, distinguishesPurpose = false) {
  const inner = new HandDrivenEmbedder(distinguishesPurpose);
  const cached = new CachingEmbedder(inner, { maxEntries });
  const embed = async (texts: string[], options?: EmbedOptions) => {
    const before = inner.calls.length;
    const answer = cached.embed(texts, options);
    for (const call of inner.calls.slice(before)) call.finish();
    return (await answer).map(([value]) => value);
  };
  const asked = () => inner.calls.map(({ texts }) => texts);
  return { inner, cached, embed, asked };
}

describe('a caching embedder', () => {
  it('embeds equal texts of one call once', async () => {
    const { embed, asked } = setup();
    expect(await embed(['a', 'bb', 'a', 'bb', 'ccc'])).toEqual([1, 2, 1, 2, 3]);
    expect(asked()).toEqual([['a', 'bb', 'ccc']]);
  });

  it('embeds only texts that are not cached', async () => {
    const { embed, asked } = setup();
    await embed(['a', 'bb']);
    expect(await embed(['bb', 'ccc', 'a'])).toEqual([2, 3, 1]);
    await embed(['a'], { purpose: 'query' });
    expect(asked()).toEqual([['a', 'bb'], ['ccc']]);
  });

  it('keeps queries and passages apart if they differ', async () => {
    const { embed, asked } = setup(10, true);
    await embed(['a']);
    await embed(['a'], { purpose: 'query' });
    expect(asked()).toEqual([['a'], ['a']]);
  });

  it('distinguishes lone surrogates', async () => {
    const { embed, asked } = setup();
    await embed(['\ud800', '\ud801']);
    expect(asked()).toEqual([['\ud800', '\ud801']]);
  });

  it('drops the least recently used text', async () => {
    const { embed, asked } = setup(2);
    await embed(['a', 'bb']);
    await embed(['a']);
    await embed(['ccc']);
    await embed(['a']);
    await embed(['bb']);
    expect(asked()).toEqual([['a', 'bb'], ['ccc'], ['bb']]);
  });

  it('drops all texts on request', async () => {
    const { cached, embed, asked } = setup();
    await embed(['a', 'b']);
    cached.forgetTexts();
    await embed(['b']);
    expect(asked()).toEqual([['a', 'b'], ['b']]);
  });

  it('embeds once for overlapping calls', async () => {
    const { inner, cached, asked } = setup();
    const calls = [cached.embed(['a', 'bb']), cached.embed(['bb', 'ccc']), cached.embed(['a'])];
    expect(asked()).toEqual([['a', 'bb'], ['ccc']]);
    for (const call of inner.calls) call.finish();
    const answers = await Promise.all(calls);
    expect(answers.map((vectors) => vectors.map(([value]) => value))).toEqual([[1, 2], [2, 3], [1]]);
  });

  it('never lets a query wait for passages', async () => {
    const { cached, asked } = setup();
    void cached.embed(['a', 'bb']);
    void cached.embed(['a'], { purpose: 'query' });
    expect(asked()).toEqual([['a', 'bb'], ['a']]);
  });

  it('continues for the others if one caller gives up', async () => {
    const { inner, cached } = setup();
    const controller = new AbortController();
    const first = cached.embed(['a'], { signal: controller.signal });
    const second = cached.embed(['a']);
    controller.abort(new Error('changed my mind'));
    await expect(first).rejects.toThrow('changed my mind');
    expect(inner.calls[0]?.options.signal?.aborted).toBe(false);
    inner.calls[0]?.finish();
    expect(await second).toHaveLength(1);
  });

  it('stops when all callers have given up, and starts again for the next', async () => {
    const { inner, cached, asked } = setup();
    const controller = new AbortController();
    const calls = [1, 2].map(() => cached.embed(['a'], { signal: controller.signal }));
    controller.abort(new Error('changed my mind'));
    for (const result of await Promise.allSettled(calls)) expect(result.status).toBe('rejected');
    expect(inner.calls[0]?.options.signal?.aborted).toBe(true);
    const next = cached.embed(['a']);
    expect(asked()).toEqual([['a'], ['a']]);
    inner.calls[1]?.finish();
    expect(await next).toHaveLength(1);
  });

  it('passes a failure to all callers and does not cache it', async () => {
    const { inner, cached, embed } = setup();
    const calls = [cached.embed(['a']), cached.embed(['a'])];
    inner.calls[0]?.fail();
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    }
    expect(await embed(['a'])).toEqual([1]);
  });
});
