import { describe, expect, it } from 'vitest';
import { EmbedderError } from '../../ports/embedder-error.js';
import { embedderContract } from './embedder-contract.js';
import { openOnnxEmbedder } from './onnx-embedder.js';
import { StartingEmbedder } from './starting-embedder.js';
import { writeTinyModel } from './test-support/tiny-model.js';

const expected = { kind: 'onnx', model: 'tiny', dimension: 3, distinguishesPurpose: false };
const directory = await writeTinyModel();

function starting(start = () => openOnnxEmbedder(directory), about = expected) {
  const faults: unknown[] = [];
  const clock = { now: 0 };
  const embedder = new StartingEmbedder({
    expected: about,
    start,
    onFault: (error) => faults.push(error),
    now: () => clock.now,
  });
  return { embedder, faults, clock };
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((done) => {
    open = done;
  });
  return { opened, open };
}

embedderContract('an embedder that starts in the background', async () => {
  const { embedder } = starting(() => openOnnxEmbedder(directory));
  return embedder;
});

describe('an embedder that starts in the background', () => {
  it('is not ready until its model is loaded, and lets calls wait', async () => {
    const { opened, open } = gate();
    const { embedder } = starting(() => opened.then(() => openOnnxEmbedder(directory)));
    expect(embedder.isReady).toBe(false);
    expect(embedder.describe()).toMatchObject({ kind: 'onnx', dimension: 3, status: 'starting' });
    const call = embedder.embed(['tea']);
    const aborted = new AbortController();
    const other = embedder.embed(['tea'], { signal: aborted.signal });
    aborted.abort(new Error('no time'));
    await expect(other).rejects.toThrow('no time');
    open();
    expect(await call).toHaveLength(1);
    expect(embedder.isReady).toBe(true);
    expect(embedder.describe()).toMatchObject({ status: 'ready' });
    await embedder.close();
  });

  it('says why it failed, fails calls at once, and starts again after a minute', async () => {
    let starts = 0;
    const { embedder, faults, clock } = starting(() => {
      starts += 1;
      if (starts === 1) return Promise.reject(new EmbedderError('unavailable', 'no memory left'));
      return openOnnxEmbedder(directory);
    });
    await expect(embedder.embed(['tea'])).rejects.toThrow('no memory left');
    expect(embedder.describe()).toMatchObject({ status: 'failed', note: 'no memory left' });
    await expect(embedder.embed(['tea'])).rejects.toThrow('no memory left');
    expect([starts, faults.length]).toEqual([1, 1]);
    clock.now += 60_000;
    expect(await embedder.embed(['tea'])).toHaveLength(1);
    expect(embedder.isReady).toBe(true);
    await embedder.close();
  });

  it('refuses a model whose vectors are not as long as it declares', async () => {
    const { embedder } = starting(undefined, { ...expected, dimension: 4 });
    await expect(embedder.embed(['tea'])).rejects.toThrow('declares vectors of length 4 and returns 3');
    expect(embedder.isReady).toBe(false);
    await embedder.close();
  });

  it('can be closed while it starts', async () => {
    const { opened, open } = gate();
    const { embedder, faults } = starting(() => opened.then(() => openOnnxEmbedder(directory)));
    const call = expect(embedder.embed(['tea'])).rejects.toMatchObject({ code: 'closed' });
    const closing = embedder.close();
    open();
    await closing;
    await call;
    expect(faults).toEqual([]);
  });
});
