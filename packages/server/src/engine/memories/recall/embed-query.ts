import type { Engine } from '../../engine.js';
import type { QueryPlan } from './query-plan.js';

/**
 * Returns the vectors of the whole query and of its sentences, if it is a message. Without a vector, recall continues by words: a
 * partial result is better than none.
 */
export async function embedQuery(
  engine: Engine,
  plan: QueryPlan | undefined,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  if (!engine.embedder?.isReady || plan === undefined) return [];
  try {
    return await engine.embedder.embed([plan.embedText, ...plan.sentences], { purpose: 'query', signal });
  } catch (error) {
    signal?.throwIfAborted();
    engine.onFault(error, 'embedding a query');
    return [];
  }
}
