import { LocalEmbedder } from './local-embedder.js';
import { MinilmWorkerClient } from './minilm-worker-client.js';
import { readDirectoryModel } from './model-directory.js';

/**
 * Runs the model in a directory on its own thread, offline. Resolves when the model is loaded, so that a model that
 * cannot be used is detected at startup.
 */
export async function openOnnxEmbedder(directory: string): Promise<LocalEmbedder> {
  const model = await readDirectoryModel(directory);
  const options = { model, threads: 1 };
  const about = { kind: 'onnx', model: model.name, prefixes: model.prefixes };
  return new LocalEmbedder(about, options, await MinilmWorkerClient.start(options));
}
