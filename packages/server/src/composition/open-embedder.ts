import { join } from 'node:path';
import { StartUpError } from '@memhall/core';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { describeError } from '../http/logging.js';
import type { Embedder, EmbedderDescription } from '../ports/embedder.js';
import { EmbedderError } from '../ports/embedder-error.js';
import { CachingEmbedder } from '../providers/embedders/caching-embedder.js';
import { openMinilmEmbedder } from '../providers/embedders/minilm-embedder.js';
import { openOnnxEmbedder } from '../providers/embedders/onnx-embedder.js';
import { OpenAiCompatibleEmbedder } from '../providers/embedders/openai-compatible-embedder.js';

/** Returns null if no embedder is configured: recall then matches words only. */
export async function openEmbedder(config: Config, logger: Logger): Promise<Embedder | null> {
  if (config.embedder === 'none') return null;
  try {
    return new CachingEmbedder(await openConfigured(config, logger));
  } catch (error) {
    if (!(error instanceof EmbedderError)) throw error;
    const message = `The embedder cannot be used: ${error.message}. Check the MEMHALL_EMBEDDER settings.`;
    throw new StartUpError(message, { cause: error });
  }
}

/** Opens and describes the configured embedder without leaving files behind. */
export async function inspectEmbedder(config: Config, logger: Logger): Promise<EmbedderDescription> {
  const embedder =
    config.embedder === 'local'
      ? await openMinilmEmbedder({ runtime: config.embedderRuntime })
      : await openEmbedder(config, logger);
  if (embedder === null) throw new StartUpError('No embedder is configured.');
  try {
    return embedder.describe();
  } finally {
    await embedder.close();
  }
}

function openConfigured(config: Config, logger: Logger): Promise<Embedder> {
  if (config.embedder === 'local') return openLocal(config);
  if (config.embedder === 'openai') return openRemote(config, logger);
  return openOnnxEmbedder(config.embedder.slice('onnx:'.length));
}

function openLocal(config: Config): Promise<Embedder> {
  const cacheDirectory = join(config.dataDirectory, 'models');
  return openMinilmEmbedder({ runtime: config.embedderRuntime, cacheDirectory });
}

/** If the vector length is configured, a temporary outage of the endpoint does not prevent the start. */
async function openRemote(config: Config, logger: Logger): Promise<Embedder> {
  const embedder = new OpenAiCompatibleEmbedder({
    baseUrl: config.embedderUrl ?? '',
    model: config.embedderModel ?? '',
    apiKey: config.embedderKey,
    dimension: config.embedderDimension || undefined,
    queryTimeoutMs: config.embedderQueryTimeoutMs,
  });
  try {
    await embedder.probe();
  } catch (error) {
    if (!(error instanceof EmbedderError && error.retryable && config.embedderDimension > 0)) throw error;
    logger.warn(
      { error: describeError(error) },
      'the embeddings endpoint does not respond; memories get their vectors once it does',
    );
  }
  return embedder;
}
