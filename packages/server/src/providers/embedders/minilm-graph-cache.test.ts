import { chmod, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadMinilmGraph, MINILM_GRAPH_SHA256, minilmGraphFileName } from './minilm-graph-cache.js';
import { MINILM_FILES, sha256 } from './minilm-model.js';

const WEIGHTS = MINILM_FILES.weights;
const MISSING_WEIGHTS = { path: '/no/such/weights', sha256: WEIGHTS.sha256 };
let graph: Uint8Array;
let directory: string;
let file: string;
beforeAll(async () => {
  graph = await loadMinilmGraph(WEIGHTS, undefined);
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'memhall-graph-'));
  file = join(directory, minilmGraphFileName());
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('the graph cache', () => {
  it('builds the pinned graph without a directory', async () => {
    expect(sha256(graph)).toBe(MINILM_GRAPH_SHA256);
  });

  it('stores the graph in a directory it creates, and does not read the weights again', async () => {
    const nested = join(directory, 'a', 'b');
    await loadMinilmGraph(WEIGHTS, nested);
    expect(await readdir(nested)).toEqual([minilmGraphFileName()]);
    expect(sha256(await loadMinilmGraph(MISSING_WEIGHTS, nested))).toBe(MINILM_GRAPH_SHA256);
  });

  it('creates a directory that nobody else can read, because secrets may be stored next to it', async () => {
    await loadMinilmGraph(WEIGHTS, join(directory, 'data', 'models'));
    expect((await stat(join(directory, 'data'))).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['truncated', () => truncate(file, 1_000_000)],
    ['empty', () => truncate(file, 0)],
    [
      'altered',
      async () => {
        const bytes = await readFile(file);
        bytes[20_000_000] = (bytes[20_000_000] as number) ^ 1;
        await writeFile(file, bytes);
      },
    ],
  ])('replaces a file that is %s', async (_, damage) => {
    await writeFile(file, graph);
    await damage();
    expect(sha256(await loadMinilmGraph(WEIGHTS, directory))).toBe(MINILM_GRAPH_SHA256);
    expect(sha256(await readFile(file))).toBe(MINILM_GRAPH_SHA256);
  });

  it('works without caching if it cannot write', async () => {
    // A file in place of the directory: unlike permissions, this also stops root.
    const blocked = join(directory, 'file');
    await writeFile(blocked, '');
    await chmod(blocked, 0o400);
    expect(sha256(await loadMinilmGraph(WEIGHTS, blocked))).toBe(MINILM_GRAPH_SHA256);
    expect(await readdir(directory)).toEqual(['file']);
  });

  it('supports concurrent starts', async () => {
    const graphs = await Promise.all([loadMinilmGraph(WEIGHTS, directory), loadMinilmGraph(WEIGHTS, directory)]);
    for (const graph of graphs) expect(sha256(graph)).toBe(MINILM_GRAPH_SHA256);
    expect(await readdir(directory)).toEqual([minilmGraphFileName()]);
  });

  it('rejects weights that are not the pinned ones, and names both checksums', async () => {
    const other = join(directory, 'weights');
    await writeFile(other, 'other weights');
    const actual = sha256(Buffer.from('other weights'));
    await expect(loadMinilmGraph({ path: other, sha256: WEIGHTS.sha256 }, undefined)).rejects.toMatchObject({
      code: 'model-corrupt',
      message: expect.stringMatching(new RegExp(`${actual}.*${WEIGHTS.sha256}`)),
    });
  });
});
