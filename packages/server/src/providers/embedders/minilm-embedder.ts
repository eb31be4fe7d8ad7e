import { EmbedderError } from '../../ports/embedder-error.js';
import type { MinilmEngineOptions } from './load-minilm-engine.js';
import { LocalEmbedder } from './local-embedder.js';
import { MINILM_MODEL } from './minilm-model.js';
import { ModelThread } from './model-thread.js';

interface MinilmEmbedderOptions {
  /** Default `auto`: the native runtime if it loads, else WebAssembly. */
  runtime?: MinilmEngineOptions['runtime'] | undefined;
  /**
   * Threads of the native runtime. Default 1: a second thread helps only if there are idle cores; on two busy cores it
   * gained nothing.
   */
  threads?: number | undefined;
  /**
   * Cache for the model converted for the native runtime (24 MB); without it, every start converts the model (0.5 s).
   */
  cacheDirectory?: string | undefined;
}

/**
 * Runs all-MiniLM-L6-v2 on its own thread, offline. Resolves when the model is loaded, so that missing or damaged model
 * files are detected at startup.
 */
export async function openMinilmEmbedder(options: MinilmEmbedderOptions = {}): Promise<LocalEmbedder> {
  const { runtime = 'auto', threads = 1, cacheDirectory } = options;
  if (!Number.isInteger(threads) || threads < 1) {
    throw new EmbedderError(
      'misconfigured',
      `The number of embedder threads must be a whole number of at least 1, not ${threads}`,
    );
  }
  const engineOptions = { runtime, threads, cacheDirectory };
  const about = { kind: 'minilm', model: MINILM_MODEL, prefixes: { query: '', passage: '' } };
  return new LocalEmbedder(about, engineOptions, await ModelThread.start(engineOptions));
}
