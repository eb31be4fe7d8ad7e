import type { Caller } from '../../caller.js';
import type { Engine } from '../../engine.js';
import { fetchRanked } from './fetch-ranked.js';
import { rank } from './rank.js';
import type { Recalled } from './recalled.js';
import { rerank, toRerank } from './rerank.js';
import { searchCompared } from './search-compared.js';
import { type RecallInput, searchScope } from './search-scope.js';
import { timeStage } from './time-stage.js';

/** Returns the memories that match best, best first. Leaves out memories that match neither by word nor by meaning. */
export async function recall(engine: Engine, caller: Caller, input: RecallInput): Promise<Recalled[]> {
  const wanted = { ...input, limit: toRerank(engine, input) };
  const found =
    input.embedder === 'compared'
      ? await searchCompared(engine, caller, wanted)
      : await searchScope(engine, caller, wanted, rank);
  if (found === undefined) return [];
  const fetched = await timeStage(engine, 'fetch', () =>
    fetchRanked(engine, caller, found, found.ranked, input.explain ?? false),
  );
  if (engine.reranking === null) return fetched;
  return timeStage(engine, 'rerank', () => rerank(engine, input, fetched));
}
