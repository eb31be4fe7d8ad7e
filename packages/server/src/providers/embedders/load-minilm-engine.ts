import { EmbedderError } from '../../ports/embedder-error.js';
import { loadMinilmGraph } from './minilm-graph-cache.js';
import { MINILM_FILES, MINILM_MAX_TOKENS, type MinilmFiles, readPinnedFile } from './minilm-model.js';
import type { ModelEngine } from './model-engine.js';
import { NativeEngine } from './native-engine.js';
import { importOnnxRuntime, type OnnxRuntime } from './onnx-session.js';
import { TextTokenizer } from './text-tokenizer.js';
import { WasmEngine } from './wasm-engine.js';

export interface MinilmEngineOptions {
  /** `auto`: native if it loads, else WebAssembly. */
  runtime: 'auto' | 'native' | 'wasm';
  threads: number;
  cacheDirectory: string | undefined;
}

export interface LoadedEngine {
  engine: ModelEngine;
  note: string | undefined;
}

export async function loadMinilmEngine(
  options: MinilmEngineOptions,
  files: MinilmFiles = MINILM_FILES,
  importNative: () => Promise<OnnxRuntime> = importOnnxRuntime,
): Promise<LoadedEngine> {
  if (options.runtime === 'wasm') return { engine: await WasmEngine.load(files), note: undefined };
  try {
    return { engine: await loadNative(options, files, importNative), note: undefined };
  } catch (error) {
    // Damaged model files would also fail in the other runtime and must be reported.
    if (error instanceof EmbedderError) throw error;
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    const note = `The native runtime could not be loaded: ${reason}`;
    if (options.runtime === 'native') throw new EmbedderError('unavailable', note);
    return { engine: await WasmEngine.load(files), note: `${note}; using the slower WebAssembly runtime` };
  }
}

async function loadNative(options: MinilmEngineOptions, files: MinilmFiles, importNative: () => Promise<OnnxRuntime>) {
  const onnx = await importNative();
  const tokenizer = new TextTokenizer(await readPinnedFile(files.tokenizer), MINILM_MAX_TOKENS);
  const graph = await loadMinilmGraph(files.weights, options.cacheDirectory);
  return NativeEngine.load(onnx, graph, tokenizer, options.threads);
}
