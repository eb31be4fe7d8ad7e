import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildMinilmGraph } from './minilm-graph.js';
import { type PinnedFile, readPinnedFile, sha256 } from './minilm-model.js';
import { Safetensors } from './safetensors.js';

/**
 * SHA-256 of the result of `buildMinilmGraph` for the pinned weights. Building is deterministic, so this constant both
 * versions the cache and detects damage. If the builder changes, a test fails and shows the new value.
 */
export const MINILM_GRAPH_SHA256 = 'f96865614cb2be1527f682db39244833aed61ad15740effbf5bd5c47a86e0d49';

export function minilmGraphFileName(): string {
  return `minilm-l6-v2-int8-${MINILM_GRAPH_SHA256.slice(0, 16)}.onnx`;
}

/** Returns the model for the native runtime: from the cache, or built (about half a second) and then cached. */
export async function loadMinilmGraph(weights: PinnedFile, cacheDirectory: string | undefined): Promise<Uint8Array> {
  const cached =
    cacheDirectory === undefined ? undefined : await readIntact(join(cacheDirectory, minilmGraphFileName()));
  if (cached !== undefined) return cached;
  const graph = buildMinilmGraph(new Safetensors(await readPinnedFile(weights)));
  if (cacheDirectory !== undefined) await store(cacheDirectory, graph);
  return graph;
}

async function readIntact(path: string): Promise<Uint8Array | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  return bytes !== undefined && sha256(bytes) === MINILM_GRAPH_SHA256 ? bytes : undefined;
}

/** Best effort: if the directory is not writable, the model is just built again at the next start. */
async function store(directory: string, graph: Uint8Array): Promise<void> {
  const path = join(directory, minilmGraphFileName());
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(temporary, graph);
    await rename(temporary, path);
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}
