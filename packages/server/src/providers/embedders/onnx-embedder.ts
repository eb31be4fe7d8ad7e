import { LocalEmbedder } from './local-embedder.js';
import { type DirectoryModel, readDirectoryModel } from './model-directory.js';
import { ModelThread } from './model-thread.js';

/**
 * Runs the model in a directory on its own thread, offline. Resolves when the model is loaded, so that a model that
 * cannot be used is detected at startup.
 */
export async function openOnnxEmbedder(directory: string): Promise<LocalEmbedder> {
  return openOnnxModel(await readDirectoryModel(directory));
}

export async function openOnnxModel(model: DirectoryModel): Promise<LocalEmbedder> {
  const options = { model, threads: 1 };
  const about = { kind: 'onnx', model: model.name, prefixes: model.prefixes };
  return new LocalEmbedder(about, options, await ModelThread.start(options));
}
