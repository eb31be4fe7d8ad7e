import { ulid } from '@memhall/core';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { contentHash } from '../governance/audit-record.js';
import { mutate } from '../governance/mutate.js';
import { noteStored, prepareMemories, storeMemories } from '../memories/remember.js';
import { type EventRecord, eventTarget, toEventArtifact, toEventMemory } from './event-record.js';

export type NewEvent = Omit<EventRecord, 'event_id' | 'tenant_id' | 'user_id'> & { event_id?: string | undefined };

/** Stores an event, or another one in the place of that with the same id, and makes it findable. */
export async function writeEvent(engine: Engine, caller: Caller, input: NewEvent): Promise<EventRecord> {
  const { event_id: eventId = `evt_${ulid(engine.clock.now().getTime())}`, ...rest } = input;
  const event: EventRecord = { event_id: eventId, tenant_id: caller.tenantId, user_id: caller.userId, ...rest };
  const prepared = await prepareMemories(engine, caller, [toEventMemory(event, engine.clock.now())]);
  await mutate(engine, caller, async (tables, now) => {
    const present = await tables.artifacts.get({ kind: 'event', folder: '', name: eventId });
    const artifact = toEventArtifact(event, present, now);
    tables.artifacts.put(artifact);
    await storeMemories(tables, caller, prepared);
    const mutation = {
      target: eventTarget(eventId),
      preEtag: present?.etag ?? null,
      postEtag: artifact.etag,
      contentHash: contentHash(artifact.body),
    };
    return { result: undefined, mutations: [mutation] };
  });
  noteStored(engine, caller, prepared);
  return event;
}
