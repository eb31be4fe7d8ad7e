import type { Reranker } from '../../../ports/reranker.js';
import type { Engine } from '../../engine.js';
import { searchText } from '../analysis/to-search-form.js';
import { toScore } from './rank.js';
import type { Recalled } from './recalled.js';
import type { RecallInput } from './search-scope.js';

export interface Reranking {
  reranker: Reranker;
  /** Number of the best memories that are ranked again. */
  candidates: number;
  /** After this time the order stands as it was. */
  deadlineMs: number;
}

type RerankInput = Pick<RecallInput, 'text' | 'arms' | 'rerank' | 'limit' | 'pinnedFirst' | 'signal'>;

/** Returns how many memories to recall, so that the reranker has enough to choose from. */
export function toRerank({ reranking }: Engine, input: RerankInput): number {
  return reranking === null || !isFor(input) ? input.limit : Math.max(input.limit, reranking.candidates);
}

/** A search by words alone or by vectors alone is one of somebody who wants exactly that. */
function isFor({ text, arms = 'both', rerank: isWanted = true, limit }: RerankInput): boolean {
  return isWanted && text !== undefined && arms === 'both' && limit > 0;
}

/**
 * Ranks the best memories again. What the model says of a memory is added to what else speaks for it, such as the time that the query
 * names. Hidden memories stay at the end.
 */
export async function rerank(
  { reranking, recallWeights, onFault }: Engine,
  input: RerankInput,
  found: readonly Recalled[],
): Promise<Recalled[]> {
  if (reranking === null || !isFor(input)) return [...found];
  const hidden = found.filter(({ isHidden }) => isHidden);
  const shown = found.filter(({ isHidden }) => !isHidden);
  const first = shown.slice(0, reranking.candidates);
  const relevances = await askInTime(reranking, input, first).catch((error: unknown) => {
    input.signal?.throwIfAborted();
    onFault(error, 'reranking');
    return undefined;
  });
  const added = spread(relevances ?? [], recallWeights.rerank);
  const ranked = first.map((one, index) => {
    const extra = added[index] ?? 0;
    const reranked = { place: index + 1, relevance: relevances?.[index] ?? null };
    const score = extra === 0 ? one.score : toScore(toRaw(one.score) + extra);
    const { explanation } = one;
    return { ...one, score, ...(explanation && { explanation: { ...explanation, rerank: extra }, reranked }) };
  });
  const pin = (one: Recalled) => (input.pinnedFirst && one.memory.isPinned ? 1 : 0);
  if (relevances !== undefined) ranked.sort((a, b) => pin(b) - pin(a) || b.score - a.score);
  return [...[...ranked, ...shown.slice(reranking.candidates)].slice(0, input.limit), ...hidden];
}

/** Returns undefined if the model is not loaded or does not answer in time. */
async function askInTime(
  { reranker, deadlineMs }: Reranking,
  { text = '', signal }: RerankInput,
  found: readonly Recalled[],
): Promise<number[] | undefined> {
  if (found.length < 2 || !reranker.isReady) return undefined;
  const deadline = new AbortController();
  const late = new Promise<undefined>((resolve) => {
    deadline.signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const timer = setTimeout(() => deadline.abort(), deadlineMs);
  const passages = found.map(({ memory }) => searchText(memory));
  const either = signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]);
  try {
    const answer = reranker.rank(text, passages, either);
    answer.catch(() => undefined);
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Models differ in the scale of their numbers, so the worst adds nothing and the best the whole weight. */
function spread(relevances: readonly number[], weight: number): number[] {
  const worst = Math.min(...relevances);
  const range = Math.max(...relevances) - worst;
  return relevances.map((one) => (range > 0 ? (weight * (one - worst)) / range : 0));
}

/** Undoes `toScore`. */
function toRaw(score: number): number {
  return -Math.log(1 - Math.min(score, 1 - Number.EPSILON)) / 1.5;
}
