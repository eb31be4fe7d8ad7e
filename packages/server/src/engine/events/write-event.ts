import { ulid } from '@memhall/core';
import type { EventRecord } from '../../ports/artifact-bodies.js';
import type { MemoryOrigin } from '../../ports/memory-origin.js';
import type { Tables } from '../../ports/store.js';
import { contentHash, type Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import { isOffTheRecord, nilUlid } from '../audit/off-the-record.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { noteStored, type PreparedMemories, prepareMemories, storeMemories } from '../memories/remember.js';
import { eventTarget, toEventArtifact, toEventMemory } from './event-record.js';

export type NewEvent = Omit<EventRecord, 'event_id' | 'tenant_id' | 'user_id'> & { event_id?: string | undefined };

/** An event, prepared so that only storing is left. */
export interface PreparedEvent {
  event: EventRecord;
  indexed: PreparedMemories;
}

/** Stores an event, replacing any with the same id, and adds it to the search index, unless it is off the record. */
export async function writeEvent(engine: Engine, caller: Caller, input: NewEvent): Promise<EventRecord> {
  if (await isOffTheRecord(engine, caller)) return toRecord(caller, `evt_${nilUlid}`, input);
  const prepared = await prepareEvent(engine, caller, input);
  await mutate(engine, caller, async (tables, now) => ({
    result: undefined,
    mutations: [await storeEvent(tables, caller, prepared, now)],
  }));
  noteStored(engine, caller, prepared.indexed);
  return prepared.event;
}

/** `derivedFrom` is the origin of what the event was made from; default: the caller. */
export async function prepareEvent(
  engine: Engine,
  caller: Caller,
  input: NewEvent,
  derivedFrom?: MemoryOrigin,
): Promise<PreparedEvent> {
  const event = toRecord(caller, input.event_id ?? `evt_${ulid(engine.clock.now().getTime())}`, input);
  const memory = toEventMemory(event, engine.clock.now(), derivedFrom);
  return { event, indexed: await prepareMemories(engine, caller, [memory]) };
}

function toRecord({ tenantId, userId }: Caller, eventId: string, { event_id: _, ...rest }: NewEvent): EventRecord {
  return { event_id: eventId, tenant_id: tenantId, user_id: userId, ...rest };
}

/** Stores an event as part of a larger transaction. */
export async function storeEvent(
  tables: Tables,
  caller: Caller,
  { event, indexed }: PreparedEvent,
  now: Date,
): Promise<Mutation> {
  const present = await tables.artifacts.get({ kind: 'event', folder: '', name: event.event_id });
  const artifact = toEventArtifact(event, present, now);
  tables.artifacts.put(artifact);
  await storeMemories(tables, caller, indexed);
  return {
    target: eventTarget(event.event_id),
    preEtag: present?.etag ?? null,
    postEtag: artifact.etag,
    contentHash: contentHash(artifact.body),
  };
}
