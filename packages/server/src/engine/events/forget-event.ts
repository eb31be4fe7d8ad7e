import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, onTheRecord } from '../caller.js';
import type { Engine } from '../engine.js';
import { tellRemoved } from '../memories/memory-watcher.js';
import { eventKind, eventTarget } from './event-record.js';

/** Removes an event and its search entry. Returns false if there is no event with this id. */
export function forgetEvent(engine: Engine, caller: Caller, eventId: string): Promise<boolean> {
  return mutate(engine, onTheRecord(caller), async (tables, now) => {
    const mutations = await removeEvent(engine, tables, caller, eventId, now);
    return { result: mutations.length > 0, mutations };
  });
}

/** Removes an event as part of a larger transaction. Returns no mutation if there is no event with this id. */
export async function removeEvent(
  engine: Engine,
  tables: Tables,
  caller: Caller,
  eventId: string,
  now: Date,
): Promise<Mutation[]> {
  const key = { kind: 'event', folder: '', name: eventId } as const;
  const partition = { kind: 'user', userId: caller.userId } as const;
  const [artifact, indexed] = await Promise.all([
    tables.artifacts.get(key),
    tables.memories.findByExternalId(partition, eventKind, [eventId]),
  ]);
  if (artifact === undefined && indexed.length === 0) return [];
  const ids = indexed.map(({ id }) => id);
  if (ids.length > 0) tables.memories.delete(ids);
  if (artifact !== undefined) tables.artifacts.delete(key);
  const followed = await tellRemoved(engine, tables, ids, now);
  return [
    { target: eventTarget(eventId), preEtag: artifact?.etag ?? null, postEtag: null, contentHash: null },
    ...followed,
  ];
}
