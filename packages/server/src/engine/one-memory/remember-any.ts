import { Problem } from '@memhall/core';
import type { Tables } from '../../ports/store.js';
import { mutate } from '../audit/mutate.js';
import { scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { learner } from '../facts/learn-facts.js';
import { earlierResult, type IdempotencyRequest, idempotencyHorizon } from '../idempotency.js';
import type { MemoryKind } from '../memories/kinds.js';
import { getNamespaces, putNamespace } from '../memories/namespaces.js';
import type { NewMemory } from '../memories/new-memory.js';
import { noteStored, prepareMemories, type Remembered, rememberRecorded, storeMemories } from '../memories/remember.js';
import { readLong } from '../read-long.js';
import type { Member } from './member.js';
import type { NamespaceGrant } from './namespace-grants.js';
import { removeSecretsTask } from './remove-secrets.js';

/** Kinds that anybody may store. The others are made from files, documents, notes and conversations. */
export const storableKinds = [
  'note',
  'semantic',
  'episodic',
  'procedural',
  'fact',
  'summary',
  'checkpoint',
] as const satisfies readonly MemoryKind[];
export type StorableKind = (typeof storableKinds)[number];

/**
 * Stores memories, all or none, without their secrets. A memory of the same kind with the same external id, else with the same
 * content, is updated, or left as it is with `keepsExisting`. A namespace is created when something is first stored in it. What is off the
 * record is not stored. Throws FORBIDDEN.
 */
export function rememberAny(
  engine: Engine,
  member: Member,
  inputs: readonly NewMemory[],
  idempotency: IdempotencyRequest | null = null,
  options: { keepsExisting?: boolean } = {},
): Promise<Remembered[]> {
  return rememberRecorded(engine, member, inputs, (recorded) =>
    storeAny(engine, member, recorded, idempotency, options),
  );
}

async function storeAny(
  engine: Engine,
  member: Member,
  inputs: readonly NewMemory[],
  idempotency: IdempotencyRequest | null,
  options: { keepsExisting?: boolean },
): Promise<Remembered[]> {
  const names = [
    ...new Set(inputs.flatMap(({ visibility }) => (typeof visibility === 'object' ? visibility.namespace : []))),
  ];
  const grants = names.map((name) => writableGrant(member, name));
  const writer = { ...member, namespaces: names, writableNamespaces: names };
  await createMissing(engine, writer, grants);
  const also = await engine.tenants.alsoRedacted(scopeOf(writer));
  const size = inputs.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  const clean = await readLong(engine, removeSecretsTask, { inputs, also }, size);
  const prepared = await prepareMemories(engine, writer, clean);
  const learn = await learner(engine, writer)(prepared.memories);
  const { remembered, isRepeated } = await mutate(engine, writer, async (tables, now) => {
    const earlier = idempotency && (await earlierRemembered(tables, idempotency, now));
    if (earlier) return { result: { remembered: earlier, isRepeated: true }, mutations: [] };
    const stored = await storeMemories(tables, writer, prepared, options);
    if (idempotency !== null) {
      const kept = stored.remembered.map(({ memory, outcome }) => ({ id: memory.id, outcome }));
      tables.idempotencyKeys.put({ ...idempotency, result: { remembered: kept }, createdAt: now });
    }
    const mutations = [...stored.mutations, ...(await learn(tables, stored.remembered, now))];
    return { result: { remembered: stored.remembered, isRepeated: false }, mutations };
  });
  if (!isRepeated) noteStored(engine, writer, prepared);
  return remembered;
}

/** Returns what the same request stored earlier, as it is now. Memories that were forgotten since are stored again. */
async function earlierRemembered(
  tables: Tables,
  request: IdempotencyRequest,
  now: Date,
): Promise<Remembered[] | undefined> {
  const record = await tables.idempotencyKeys.get(request.key, idempotencyHorizon(now));
  const kept = earlierResult(record, request)?.remembered as
    | { id: string; outcome: Remembered['outcome'] }[]
    | undefined;
  if (kept === undefined) return undefined;
  const found = new Map(
    (
      await tables.memories.getMany(
        kept.map(({ id }) => id),
        now,
      )
    ).map((memory) => [memory.id, memory]),
  );
  const remembered = kept.flatMap(({ id, outcome }) => {
    const memory = found.get(id);
    return memory === undefined ? [] : [{ memory, outcome }];
  });
  return remembered.length === kept.length ? remembered : undefined;
}

/** Returns the grant of a namespace. Throws FORBIDDEN if the caller may not write to it. */
export function writableGrant({ grants }: Pick<Member, 'grants'>, name: string): NamespaceGrant {
  const grant = grants.find((candidate) => candidate.name === name);
  if (grant?.isWritable) return grant;
  const writable = grants.filter(({ isWritable }) => isWritable).map((candidate) => candidate.name);
  throw new Problem('FORBIDDEN', 'This token does not allow writing to that namespace.', { details: { writable } });
}

async function createMissing(engine: Engine, writer: Member, grants: readonly NamespaceGrant[]): Promise<void> {
  if (grants.length === 0) return;
  const present = await getNamespaces(
    engine,
    writer,
    grants.map(({ name }) => name),
  );
  const known = new Set(present.map(({ name }) => name));
  for (const { name, kind } of grants) {
    if (!known.has(name)) await putNamespace(engine, writer, { name, kind, expiresAt: null, metadata: null });
  }
}
