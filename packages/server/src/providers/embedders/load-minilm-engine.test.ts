import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadMinilmEngine } from './load-minilm-engine.js';
import { MINILM_DIMENSION, MINILM_FILES } from './minilm-model.js';
import type { OnnxRuntime } from './onnx-session.js';

const OPTIONS = { runtime: 'auto', threads: 1, cacheDirectory: undefined } as const;
const PINNED = MINILM_FILES;

async function missing(): Promise<OnnxRuntime> {
  throw new Error("Cannot find package 'onnxruntime-node'\nRequire stack: ...");
}

describe('loading the engine', () => {
  it('uses the native runtime if it loads', async () => {
    const { engine, note } = await loadMinilmEngine(OPTIONS);
    expect(engine.runtime).toMatch(/^onnxruntime-node \d/);
    expect(note).toBeUndefined();
  });

  it('falls back to WebAssembly otherwise, and says why', async () => {
    const { engine, note } = await loadMinilmEngine(OPTIONS, PINNED, missing);
    expect(engine.runtime).toContain('WebAssembly');
    expect(note).toContain("Cannot find package 'onnxruntime-node'; using the slower");
    expect(await engine.run('hello')).toHaveLength(MINILM_DIMENSION);
  });

  it('falls back if the runtime loads but fails', async () => {
    const broken = { InferenceSession: { create: () => Promise.reject(new Error('no such operator')) } };
    const { note } = await loadMinilmEngine(OPTIONS, PINNED, async () => broken as unknown as OnnxRuntime);
    expect(note).toContain('no such operator');
  });

  it('does not fall back if the native runtime is required', async () => {
    const options = { ...OPTIONS, runtime: 'native' } as const;
    await expect(loadMinilmEngine(options, PINNED, missing)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each(['native', 'wasm', 'auto'] as const)('refuses altered model files (%s)', async (runtime) => {
    const path = join(tmpdir(), `memhall-altered-${process.pid}`);
    await writeFile(path, '{}');
    const files = { ...PINNED, tokenizer: { ...PINNED.tokenizer, path } };
    await expect(loadMinilmEngine({ ...OPTIONS, runtime }, files)).rejects.toMatchObject({ code: 'model-corrupt' });
  });
});
