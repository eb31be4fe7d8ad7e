import { type Partition, partitionKey } from '../../../ports/memories.js';
import { type Caller, scopeOf } from '../../caller.js';
import type { Engine } from '../../engine.js';
import { fetchRanked } from './fetch-ranked.js';
import { rankSessions } from './rank-sessions.js';
import type { Recalled } from './recalled.js';
import { type RecallInput, searchScope } from './search-scope.js';

export interface RecalledSession {
  partition: Partition;
  sessionId: string;
  /** 0 … 1, comparable within one result list. */
  score: number;
  /** When its first and its last memory took place, among those in scope. */
  startedAt: Date;
  endedAt: Date;
  /** How many of its memories match. */
  count: number;
  /** Its best matches, best first. */
  best: Recalled[];
}

/**
 * Returns the sessions that match best, best first, ranked on all their memories, with up to `memoriesPerSession` of them each. Of
 * a partition that is searched in the database, only the candidates count.
 */
export async function recallSessions(
  engine: Engine,
  caller: Caller,
  { memoriesPerSession, ...input }: RecallInput & { memoriesPerSession: number },
): Promise<RecalledSession[]> {
  const found = await searchScope(engine, caller, input, (rows) => rankSessions(rows, memoriesPerSession));
  if (found === undefined || found.ranked.length === 0) return [];
  const { partitions, ranked, filterOf } = found;
  const now = new Date(found.now);
  const best = ranked.flatMap((session) => session.best);
  const [fetched, spans] = await Promise.all([
    fetchRanked(engine, caller, found, best, input.explain ?? false),
    engine.store.read(scopeOf(caller), (tables) =>
      Promise.all(
        partitions.map((partition, number) => {
          const ids = ranked.filter((one) => one.segmentNumber === number).map(({ sessionId }) => sessionId);
          const condition = { filter: filterOf(partition), now };
          return ids.length === 0 ? undefined : found.indexOf(tables).sessionSpans(partition, ids, condition);
        }),
      ),
    ),
  ]);
  return ranked.flatMap(({ segmentNumber, sessionId, score, count }) => {
    const partition = partitions[segmentNumber];
    const span = spans[segmentNumber]?.get(sessionId);
    if (partition === undefined || span === undefined) return [];
    const own = fetched.filter(
      ({ memory }) => memory.sessionId === sessionId && partitionKey(memory.partition) === partitionKey(partition),
    );
    const session = { partition, sessionId, score, startedAt: span.from, endedAt: span.to, count, best: own };
    return own.length === 0 ? [] : [session];
  });
}
