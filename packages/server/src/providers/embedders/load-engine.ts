import { EmbedderError } from '../../ports/embedder-error.js';
import { type LoadedEngine, loadMinilmEngine, type MinilmEngineOptions } from './load-minilm-engine.js';
import type { DirectoryModel } from './model-directory.js';
import { OnnxEngine } from './onnx-engine.js';
import { OnnxRanker } from './onnx-ranker.js';
import { importOnnxRuntime, type OnnxRuntime } from './onnx-session.js';
import type { DirectoryReranker } from './reranker-directory.js';

interface OnnxEngineOptions {
  model: DirectoryModel;
  threads: number;
}

interface RankerOptions {
  reranker: DirectoryReranker;
  threads: number;
}

export type EngineOptions = MinilmEngineOptions | OnnxEngineOptions | RankerOptions;

export async function loadEngine(options: EngineOptions): Promise<LoadedEngine> {
  if ('runtime' in options) return loadMinilmEngine(options);
  const onnx = await importNative();
  const engine =
    'model' in options
      ? await OnnxEngine.load(onnx, options.model, options.threads)
      : await OnnxRanker.load(onnx, options.reranker, options.threads);
  return { engine, note: undefined };
}

async function importNative(): Promise<OnnxRuntime> {
  try {
    return await importOnnxRuntime();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw new EmbedderError('unavailable', `The native runtime could not be loaded: ${reason}`);
  }
}
