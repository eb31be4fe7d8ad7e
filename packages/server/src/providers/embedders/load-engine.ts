import { EmbedderError } from '../../ports/embedder-error.js';
import { type LoadedEngine, loadMinilmEngine, type MinilmEngineOptions } from './load-minilm-engine.js';
import type { DirectoryModel } from './model-directory.js';
import { OnnxEngine } from './onnx-engine.js';
import { importOnnxRuntime, type OnnxRuntime } from './onnx-session.js';

export interface OnnxEngineOptions {
  model: DirectoryModel;
  threads: number;
}

export type EngineOptions = MinilmEngineOptions | OnnxEngineOptions;

export async function loadEngine(options: EngineOptions): Promise<LoadedEngine> {
  if (!('model' in options)) return loadMinilmEngine(options);
  let onnx: OnnxRuntime;
  try {
    onnx = await importOnnxRuntime();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw new EmbedderError('unavailable', `The native runtime could not be loaded: ${reason}`);
  }
  return { engine: await OnnxEngine.load(onnx, options.model, options.threads), note: undefined };
}
