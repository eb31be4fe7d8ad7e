import { Problem } from '@memhall/core';
import type { Memory } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import { isOffTheRecord } from '../audit/off-the-record.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { eventIdOf, eventKind } from '../events/event-record.js';
import { forgetEvent } from '../events/forget-event.js';
import { learner } from '../facts/learn-facts.js';
import { forgetMemories } from '../memories/forget-memories.js';
import { type MemoryChange, updateMemory } from '../memories/update-memory.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { sourcesOf } from './copies.js';
import { etagOfMemory, getAny, missing } from './find-any.js';
import type { Member } from './member.js';
import { overrideEvent } from './override-event.js';
import { recordOf } from './owned-by-record.js';
import { recallAny } from './recall-any.js';

/**
 * Changes a memory of any surface. Off the record, returns it as it is. Throws NOT_FOUND, FORBIDDEN if the caller may only read it, OWNED_BY_RECORD if it changes only
 * with another record, or ETAG_MISMATCH.
 */
export async function updateAny(
  engine: Engine,
  member: Member,
  id: string,
  change: MemoryChange,
  precondition: Precondition,
): Promise<Memory> {
  const memory = await getAny(engine, member, id);
  const writer = writerOf(member, memory);
  const check = (current: Memory) => checkPrecondition(precondition, etagOfMemory(current));
  if (await isOffTheRecord(engine, member)) {
    check(memory);
    return memory;
  }
  if (memory.kind === eventKind && change.content !== undefined) {
    check(memory);
    await overrideEvent(engine, writer, memory, change.content);
    const { content: _, ...rest } = change;
    if (Object.values(rest).every((value) => value === undefined)) return getAny(engine, member, id);
    return (await updateMemory(engine, writer, id, rest)) ?? fail(id);
  }
  // What a text states does not depend on what it was before, so it is read before the transaction.
  const { content = memory.content } = change;
  const learn = await learner(engine, writer)([{ ...memory, content }]);
  const followed = (tables: Tables, next: Memory, now: Date) =>
    learn(tables, [{ memory: next, outcome: 'updated', isReworded: true }], now);
  return (await updateMemory(engine, writer, id, change, { check, followed })) ?? fail(id);
}

interface ForgetOptions {
  precondition: Precondition;
  /** Also forget the copies of the statement that the caller may delete. */
  copies: boolean;
}

/**
 * Forgets a memory of any surface, and what was derived from it alone. Throws like `updateAny`.
 */
export async function forgetAny(
  engine: Engine,
  member: Member,
  id: string,
  { precondition, copies }: ForgetOptions,
): Promise<void> {
  const memory = await getAny(engine, member, id);
  const also = copies ? await copiesOf(engine, member, memory) : [];
  await forgetOne(engine, writerOf(member, memory), memory, (current) =>
    checkPrecondition(precondition, etagOfMemory(current)),
  );
  for (const copy of also) {
    const writer = tryWriter(member, copy);
    if (writer !== undefined) await forgetOne(engine, writer, copy);
  }
}

async function forgetOne(
  engine: Engine,
  writer: Caller,
  memory: Memory,
  check?: (current: Memory) => void,
): Promise<void> {
  if (memory.kind === eventKind) {
    check?.(memory);
    await forgetEvent(engine, writer, eventIdOf(memory));
    return;
  }
  const options = { check, alsoOf: (tables: Tables, now: Date) => derivedAlone(tables, writer, memory, now) };
  const forgotten = await forgetMemories(engine, writer, [memory.id], options);
  if (forgotten.length === 0) throw missing(memory.id);
}

/** Returns the memories that were derived from this one and from nothing else. */
async function derivedAlone(
  tables: Tables,
  { userId }: Caller,
  { id, partition }: Memory,
  now: Date,
): Promise<Memory[]> {
  if (partition.kind !== 'user') return [];
  const filter = { metadata: { evidence: { message_ids: [id] } } };
  const page = { before: undefined, limit: 100, now };
  const found = await tables.memories.list([{ kind: 'user', userId }], filter, page);
  return found.map(({ memory }) => memory).filter((memory) => sourcesOf(memory).length === 1);
}

async function copiesOf(engine: Engine, member: Member, memory: Memory): Promise<Memory[]> {
  const found = await recallAny(engine, member, {
    text: memory.content.slice(0, 2000),
    limit: 20,
    includeSuperseded: true,
  });
  const group = found.find(
    ({ memory: shown, also }) => shown.id === memory.id || also.some(({ id }) => id === memory.id),
  );
  const ids = [group?.memory.id, ...(group?.also.map(({ id }) => id) ?? [])];
  const others = ids.filter((id) => id !== undefined && id !== memory.id);
  return Promise.all(others.map((id) => getAny(engine, member, id ?? '')));
}

/** Returns the caller with the right to write where the memory is. Throws FORBIDDEN or OWNED_BY_RECORD. */
function writerOf(member: Member, memory: Memory): Caller {
  const record = recordOf(member, memory);
  if (record !== undefined) {
    throw new Problem(
      'OWNED_BY_RECORD',
      `This memory is a part of a ${record.owner}. Change that with ${record.call}.`,
      {
        details: { ...record },
      },
    );
  }
  const { partition } = memory;
  if (partition.kind === 'user') return member;
  if (partition.kind === 'public') {
    if (memory.userId === member.userId) return member;
    throw new Problem('FORBIDDEN', 'Only the author of a public memory can change or delete it.');
  }
  if (member.grants.some(({ name, isWritable }) => isWritable && name === partition.name)) {
    return { ...member, namespaces: [partition.name], writableNamespaces: [partition.name] };
  }
  throw new Problem('FORBIDDEN', 'This token does not allow writing to that namespace.');
}

function tryWriter(member: Member, memory: Memory): Caller | undefined {
  try {
    return writerOf(member, memory);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

function fail(id: string): never {
  throw missing(id);
}
