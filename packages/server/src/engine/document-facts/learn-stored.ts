import type { ReadableMemories, UpcomingMemory } from '../../ports/fact-readings.js';
import type { Tables } from '../../ports/store.js';
import { maintain } from '../audit/maintain.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, scopeOf, systemCaller } from '../caller.js';
import { readStored, statingKinds } from '../conversations/read-stored.js';
import { pieceKind } from '../document-pieces/piece-memory.js';
import { catchUpDocuments } from '../documents/catch-up-documents.js';
import type { Engine } from '../engine.js';
import { type LearnedMemory, learnFacts } from '../facts/learn-facts.js';
import { listTenants } from '../list-tenants.js';
import { workspaceOf } from '../namespace-names.js';
import { readPieces } from './read-pieces.js';
import { keysOf } from './value-lessons.js';

/** Their ids are looked up at once, because finding the oldest ones looks at all of a user's memories. */
const lookAhead = 5000;
/** Stored at once, with how far the reading has come. */
const batchSize = 50;
const kinds = [...statingKinds, pieceKind];

interface Learned {
  users: number;
  memories: number;
}

/**
 * Learns facts from memories and documents that a version stored which did not, for all users of a tenant who are behind. The oldest
 * comes first, and times count from when it took place. What was learned and how far the reading has come are one transaction,
 * so an interrupted run continues where it stopped and nothing is learned twice.
 */
export async function learnStored(engine: Engine, tenantId: string, signal?: AbortSignal): Promise<Learned> {
  const learned = { users: 0, memories: 0 };
  if (engine.statements === null) return learned;
  const users = await openReadings(engine, tenantId);
  // What documents say is read in their pieces.
  if (users.length > 0) await catchUpDocuments(engine, tenantId, signal);
  // First, so that what is left can be counted.
  for (const userId of users) {
    signal?.throwIfAborted();
    const caller = callerOf(tenantId, userId);
    const now = engine.clock.now();
    await maintain(engine, scopeOf(caller), async ({ factReadings }) => factReadings.begin(placesOf(userId), now));
  }
  for (const userId of users) {
    learned.memories += await readUser(engine, callerOf(tenantId, userId), signal);
    learned.users += 1;
  }
  return learned;
}

/** Has the memories of all users of a tenant read again, with those that arrived since. What is evidence of a fact already is left out. */
export async function learnAgain(engine: Engine, tenantId: string, signal?: AbortSignal): Promise<void> {
  if (engine.statements === null) return;
  for (const userId of await engine.store.users(tenantId)) {
    signal?.throwIfAborted();
    const caller = callerOf(tenantId, userId);
    const now = engine.clock.now();
    await maintain(engine, scopeOf(caller), async ({ factReadings }) => {
      factReadings.reset();
      factReadings.begin(placesOf(userId), now);
    });
  }
}

/** Returns the users of a tenant whose memories are not all read. */
export function openReadings(engine: Engine, tenantId: string): Promise<string[]> {
  return engine.store.inspect(tenantId, ({ factReadings }) => factReadings.open());
}

/** Returns how many memories of all tenants are left in readings that were begun. */
export async function totalUnread(engine: Engine): Promise<number> {
  let total = 0;
  for (const tenantId of await listTenants(engine)) {
    total += await engine.store.inspect(tenantId, ({ factReadings }) => factReadings.remaining());
  }
  return total;
}

function callerOf(tenantId: string, userId: string): Caller {
  return { ...systemCaller(tenantId, userId, 'conversations.learn'), namespaces: [workspaceOf(userId)] };
}

function placesOf(userId: string): ReadableMemories {
  return {
    partitions: [
      { kind: 'user', userId },
      { kind: 'namespace', name: workspaceOf(userId) },
    ],
    kinds,
  };
}

async function readUser(engine: Engine, caller: Caller, signal: AbortSignal | undefined): Promise<number> {
  let read = 0;
  for (;;) {
    const upcoming = await engine.store.read(scopeOf(caller), ({ factReadings }) =>
      factReadings.upcoming(placesOf(caller.userId), lookAhead),
    );
    for (let from = 0; from < upcoming.length; from += batchSize) {
      signal?.throwIfAborted();
      await readBatch(engine, caller, upcoming.slice(from, from + batchSize));
    }
    read += upcoming.length;
    if (upcoming.length < lookAhead) break;
  }
  await maintain(engine, scopeOf(caller), async ({ factReadings }) => factReadings.finish(engine.clock.now()));
  return read;
}

async function readBatch(engine: Engine, caller: Caller, batch: readonly UpcomingMemory[]): Promise<void> {
  const ids = batch.map(({ id }) => id);
  const now = engine.clock.now();
  const memories = await engine.store.read(scopeOf(caller), (tables) => tables.memories.getMany(ids, now));
  const found = new Map(memories.map((memory) => [memory.id, memory]));
  const present = ids.flatMap((id) => found.get(id) ?? []);
  const documents = await readPieces(engine, caller, present);
  const ofPieces = new Map(documents.flatMap(({ learned }) => learned.map((one) => [one.memory.id, one])));
  const stated = await readStored(engine, caller, present);
  const learned = present.flatMap((memory, index) => ofPieces.get(memory.id) ?? stated[index] ?? []);
  await mutate(engine, caller, async (tables, at) => {
    const unknown = learned.length === 0 ? [] : await withoutKnown(tables, learned, at);
    const mutations = await learnFacts(tables, unknown, at);
    for (const { place, learned: values } of documents) {
      tables.factPlaces.add(keysOf(values.filter((one) => unknown.includes(one))), place, at);
    }
    tables.factReadings.advance(batch.at(-1) as UpcomingMemory, batch.length);
    return { result: undefined, mutations };
  });
}

/** Leaves out what is forgotten or changed by now, and what facts were learned from already: they may have been taken back since. */
async function withoutKnown(tables: Tables, learned: readonly LearnedMemory[], now: Date): Promise<LearnedMemory[]> {
  const ids = [...new Set(learned.map(({ memory }) => memory.id))];
  const [present, based, steps] = await Promise.all([
    tables.memories.getMany(ids, now),
    tables.facts.basedOn(ids),
    tables.facts.stepsBy(ids),
  ]);
  const hashes = new Map(present.map(({ id, contentHash }) => [id, contentHash]));
  const known = new Set([...based.flatMap(({ evidence }) => evidence), ...steps.map(({ memoryId }) => memoryId)]);
  return learned.filter(({ memory }) => hashes.get(memory.id) === memory.contentHash && !known.has(memory.id));
}
