import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedder } from '../../ports/embedder.js';
import { EmbedderError } from '../../ports/embedder-error.js';
import { cosine } from './test-support/cosine.js';

const AWKWARD_TEXTS = ['', ' ', '\u0000\u001b\u0007', '\ud800', 'a\udc00b', '😀'.repeat(300), 'x'.repeat(1_000_000)];

/** Tests of the contract that every embedder must fulfil; `open` must return a new one each time. */
export function embedderContract(name: string, open: () => Promise<Embedder>): void {
  describe(`${name} fulfils the embedder contract`, () => {
    let embedder: Embedder;
    beforeAll(async () => {
      embedder = await open();
    }, 60_000);
    afterAll(() => embedder.close());

    it('describes itself consistently', () => {
      expect(embedder.describe()).toMatchObject({ model: embedder.model, dimension: embedder.dimension });
      expect(embedder.describe().runtime).not.toBe('');
    });

    it('returns no vectors for no texts', async () => {
      expect(await embedder.embed([])).toEqual([]);
    });

    it('returns finite unit vectors of its dimension', async () => {
      for (const vector of await embedder.embed(['a cat', 'a dog', 'a spaceship'])) {
        expect(vector).toBeInstanceOf(Float32Array);
        expect(vector).toHaveLength(embedder.dimension);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
      }
    });

    it('keeps the order of the texts, regardless of their lengths', async () => {
      const texts = Array.from({ length: 12 }, (_, i) => `text ${i} ${'word '.repeat((i * 7) % 12)}`);
      const together = await embedder.embed(texts);
      for (const [i, text] of texts.entries()) {
        const [alone] = await embedder.embed([text]);
        expect(cosine(alone as Float32Array, together[i] as Float32Array)).toBeGreaterThan(0.999);
      }
    });

    it('gives the same vector for the same text', async () => {
      const [first, again] = await embedder.embed(['tea with milk', 'tea with milk']);
      const [later] = await embedder.embed(['tea with milk']);
      expect(again).toEqual(first);
      expect(later).toEqual(first);
    });

    it('gives every caller its own vectors', async () => {
      const [first] = await embedder.embed(['coffee']);
      const copy = Float32Array.from(first as Float32Array);
      (first as Float32Array).fill(0);
      const [second, third] = await embedder.embed(['coffee', 'coffee']);
      expect(second).toEqual(copy);
      (second as Float32Array).fill(0);
      expect(third).toEqual(copy);
    });

    it('accepts every string', async () => {
      const vectors = await embedder.embed(AWKWARD_TEXTS);
      expect(vectors).toHaveLength(AWKWARD_TEXTS.length);
      for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    });

    it('handles overlapping calls, each with its own vectors', async () => {
      const texts = Array.from({ length: 20 }, (_, i) => `memory number ${i}`);
      const expected = await embedder.embed(texts);
      const answers = await Promise.all(
        texts.map((text, i) => embedder.embed([text], { purpose: i % 2 ? 'query' : 'passage' })),
      );
      for (const [i, [vector]] of answers.entries()) {
        if (embedder.distinguishesPurpose && i % 2) continue;
        expect(cosine(vector as Float32Array, expected[i] as Float32Array)).toBeGreaterThan(0.999);
      }
    });

    it('rejects with the reason of a signal that was aborted before the call', async () => {
      const reason = new Error('changed my mind');
      await expect(embedder.embed(['never'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });

    it('rejects with the reason of a signal aborted during the call, and keeps working', async () => {
      const controller = new AbortController();
      const texts = Array.from({ length: 60 }, (_, i) => `passage ${i} that nobody waits for any more`);
      const call = embedder.embed(texts, { signal: controller.signal });
      const other = embedder.embed(['somebody waits for this']);
      const reason = new Error('changed my mind');
      controller.abort(reason);
      await expect(call).rejects.toBe(reason);
      expect(await other).toHaveLength(1);
    });

    it('rejects open and later calls after it is closed, and can be closed twice', async () => {
      const another = await open();
      const texts = Array.from({ length: 60 }, (_, i) => `passage ${i} of a call that is still open`);
      const call = another.embed(texts).catch((error: unknown) => error);
      await another.close();
      expect(await call).toMatchObject({ code: 'closed' });
      const later = await another.embed(['late']).catch((error: unknown) => error);
      expect(later).toBeInstanceOf(EmbedderError);
      expect(later).toMatchObject({ code: 'closed' });
      await another.close();
    });
  });
}
