import { join } from 'node:path';
import { StartUpError } from '@memhall/core';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { describeError, logFaults } from '../http/logging.js';
import type { Embedder, EmbedderDescription } from '../ports/embedder.js';
import { EmbedderError } from '../ports/embedder-error.js';
import { CachingEmbedder } from '../providers/embedders/caching-embedder.js';
import { openMinilmEmbedder } from '../providers/embedders/minilm-embedder.js';
import { MINILM_DIMENSION, MINILM_MODEL } from '../providers/embedders/minilm-model.js';
import { readDirectoryModel } from '../providers/embedders/model-directory.js';
import { openOnnxModel } from '../providers/embedders/onnx-embedder.js';
import { OpenAiCompatibleEmbedder } from '../providers/embedders/openai-compatible-embedder.js';
import { type ExpectedEmbedder, StartingEmbedder } from '../providers/embedders/starting-embedder.js';

/**
 * Returns null if no embedder is configured: recall then matches words only. With `after`, a model of its own may be loaded
 * in the background, once that has settled: the two would take the processor from each other.
 */
export async function openEmbedder(
  config: Config,
  logger: Logger,
  after?: Promise<unknown>,
  settings = 'the MEMHALL_EMBEDDER settings',
): Promise<Embedder | null> {
  if (config.embedder === 'none') return null;
  try {
    return new CachingEmbedder(await openConfigured(config, logger, after));
  } catch (error) {
    if (!(error instanceof EmbedderError)) throw error;
    const message = `The embedder cannot be used: ${error.message}. Check ${settings}.`;
    throw new StartUpError(message, { cause: error });
  }
}

/** Returns null if there is nothing to compare the embedder with. */
export async function openComparedEmbedder(
  config: Config,
  logger: Logger,
  after?: Promise<unknown>,
): Promise<Embedder | null> {
  return openEmbedder({ ...config, embedder: config.comparedEmbedder }, logger, after, 'MEMHALL_COMPARED_EMBEDDER');
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

async function openConfigured(config: Config, logger: Logger, after: Promise<unknown> | undefined): Promise<Embedder> {
  if (config.embedder === 'openai') return openRemote(config, logger);
  const path = /^onnx:(.*)$/s.exec(config.embedder)?.[1];
  const { expected, open } = path === undefined ? expectLocal(config) : await expectDirectory(path);
  if (after === undefined || config.embedderStart === 'wait' || expected === undefined) return open();
  const start = async () => {
    await after.catch(() => undefined);
    return open();
  };
  return new StartingEmbedder({ expected, start, onFault: logFaults(logger) });
}

interface Openable {
  /** undefined if only running the model shows it. */
  expected: ExpectedEmbedder | undefined;
  open(): Promise<Embedder>;
}

function expectLocal({ dataDirectory, embedderRuntime: runtime }: Config): Openable {
  const expected = { kind: 'minilm', model: MINILM_MODEL, dimension: MINILM_DIMENSION, distinguishesPurpose: false };
  return { expected, open: () => openMinilmEmbedder({ runtime, cacheDirectory: join(dataDirectory, 'models') }) };
}

/** Throws if the files of the model cannot be used. */
async function expectDirectory(path: string): Promise<Openable> {
  const model = await readDirectoryModel(path);
  const { name, dimension, prefixes } = model;
  const distinguishesPurpose = prefixes.query !== prefixes.passage;
  const expected = dimension === undefined ? undefined : { kind: 'onnx', model: name, dimension, distinguishesPurpose };
  return { expected, open: () => openOnnxModel(model) };
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
