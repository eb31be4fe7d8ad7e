import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { eventKind, eventTarget } from './event-record.js';

/** Removes an event and its search entry. Returns false if there is no event with this id. */
export function forgetEvent(engine: Engine, caller: Caller, eventId: string): Promise<boolean> {
  return mutate(engine, caller, async (tables) => {
    const key = { kind: 'event', folder: '', name: eventId } as const;
    const partition = { kind: 'user', userId: caller.userId } as const;
    const [artifact, indexed] = await Promise.all([
      tables.artifacts.get(key),
      tables.memories.findByExternalId(partition, eventKind, [eventId]),
    ]);
    if (artifact === undefined && indexed.length === 0) return { result: false, mutations: [] };
    if (indexed.length > 0) tables.memories.delete(indexed.map(({ id }) => id));
    if (artifact !== undefined) tables.artifacts.delete(key);
    const preEtag = artifact?.etag ?? null;
    const mutation = { target: eventTarget(eventId), preEtag, postEtag: null, contentHash: null };
    return { result: true, mutations: [mutation] };
  });
}
