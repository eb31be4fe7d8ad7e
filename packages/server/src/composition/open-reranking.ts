import { StartUpError } from '@memhall/core';
import type { Config } from '../config/settings.js';
import type { Reranking } from '../engine/memories/recall/rerank.js';
import { EmbedderError } from '../ports/embedder-error.js';
import type { RerankerDescription } from '../ports/reranker.js';
import { openOnnxReranker } from '../providers/embedders/onnx-reranker.js';

/** Returns null if no reranker is configured. The model is loaded as the embedder's is: see MEMHALL_EMBEDDER_START. */
export async function openReranking(
  { reranker: setting, rerankerCandidates: candidates, rerankerDeadlineMs: deadlineMs, embedderStart }: Config,
  onFault: (error: unknown, doing: string) => void,
): Promise<Reranking | null> {
  const directory = /^onnx:(.*)$/s.exec(setting)?.[1];
  if (directory === undefined) return null;
  try {
    const { reranker, loaded } = await openOnnxReranker(directory);
    if (embedderStart === 'wait') await loaded;
    else loaded.catch((error: unknown) => onFault(error, 'starting the reranker'));
    return { reranker, candidates, deadlineMs };
  } catch (error) {
    if (!(error instanceof EmbedderError)) throw error;
    const message = `The reranker cannot be used: ${error.message}. Check MEMHALL_RERANKER.`;
    throw new StartUpError(message, { cause: error });
  }
}

/** Loads and describes the configured reranker. */
export async function inspectReranker(config: Config): Promise<RerankerDescription> {
  const reranking = await openReranking({ ...config, embedderStart: 'wait' }, () => undefined);
  if (reranking === null) throw new StartUpError('No reranker is configured.');
  try {
    return reranking.reranker.describe();
  } finally {
    await reranking.reranker.close();
  }
}
