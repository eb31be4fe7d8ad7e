import { createHash } from 'node:crypto';
import { isId, type Json, Problem, uuidv7 } from '@memhall/core';
import { type Memory, type Partition, partitionKey, type SearchForm } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import type { Mutation } from '../governance/audit-record.js';
import { mutate } from '../governance/mutate.js';
import { searchText, toSearchForm } from './analysis/to-search-form.js';
import { embedNow } from './embed-now.js';
import { checkDate, checkLabel, checkMetadata, memoryLimits, toContent, toTags, toVector } from './memory-input.js';
import { memoryTarget } from './memory-target.js';
import { partitionOf, type Visibility } from './scope-partitions.js';

export interface NewMemory {
  content: string;
  kind: string;
  /** Further text by which it is found, such as what it is good for. */
  cue?: string | undefined;
  visibility?: Visibility;
  /** Given: the memory with this id is replaced, wherever its content comes from. */
  id?: string | undefined;
  /** Given: the memory of the same kind and visibility under this id is replaced. */
  externalId?: string | undefined;
  /** Without id and external id: the same content again is the same memory. */
  uniqueContent?: boolean | undefined;
  tags?: readonly string[] | undefined;
  source?: string | undefined;
  sessionId?: string | undefined;
  planId?: string | undefined;
  agentId?: string | undefined;
  role?: string | undefined;
  isPinned?: boolean | undefined;
  expiresAt?: Date | undefined;
  /** Default: now. */
  occurredAt?: Date | undefined;
  metadata?: { [key: string]: Json } | undefined;
  propagation?: Json | undefined;
  /** Instead of embedding the content. */
  embedding?: readonly number[] | undefined;
}

export interface Remembered {
  memory: Memory;
  /** unchanged: somebody else's public memory says the same already. */
  outcome: 'created' | 'updated' | 'unchanged';
}

/** Up to this many texts are embedded before a write answers, if the embedder is at hand; more follow at once after. */
const embedAtOnce = 32;

export async function remember(engine: Engine, caller: Caller, input: NewMemory): Promise<Remembered> {
  const [result] = await rememberMany(engine, caller, [input]);
  if (result === undefined) throw new Error('a memory was lost');
  return result;
}

/** All or none, in order. */
export async function rememberMany(
  engine: Engine,
  caller: Caller,
  inputs: readonly NewMemory[],
): Promise<Remembered[]> {
  if (inputs.length > memoryLimits.batch) {
    throw new Problem('INVALID_REQUEST', `At most ${memoryLimits.batch} memories can be stored in one call.`);
  }
  const now = engine.clock.now();
  const memories = inputs.map((input) => toMemory(caller, input, now));
  const forms = await toForms(engine, caller, inputs, memories);
  const results = await mutate(engine, caller, async (tables) => {
    const known = await findKnown(tables, memories);
    await checkNamespaces(tables, memories, now);
    const mutations: Mutation[] = [];
    const remembered = memories.map((memory, index) =>
      store({ tables, known, caller, now, mutations }, memory, forms[index] as SearchForm),
    );
    return { result: remembered, mutations };
  });
  if (engine.embedder !== null && forms.some(({ embedding }) => embedding === null))
    engine.onUnembedded(caller.tenantId);
  return results;
}

function toMemory(caller: Caller, input: NewMemory, now: Date): Memory {
  const content = toContent(input.content);
  const metadata = input.metadata ?? {};
  checkMetadata(metadata);
  const occurredAt = input.occurredAt ?? now;
  checkDate('occurred_at', occurredAt);
  if (input.expiresAt !== undefined) checkDate('expires_at', input.expiresAt);
  for (const name of ['kind', 'source', 'sessionId', 'planId', 'agentId', 'role', 'externalId'] as const)
    checkLabel(name, input[name]);
  if (input.id !== undefined && !isId(input.id)) throw new Problem('INVALID_REQUEST', '"id" is not a valid id.');
  return {
    id: input.id ?? uuidv7(now.getTime()),
    userId: caller.userId,
    partition: partitionOf(caller, input.visibility ?? 'private'),
    kind: input.kind,
    content,
    cue: input.cue === undefined ? null : toContent(input.cue, 'cue'),
    contentHash: createHash('sha256').update(content).digest('hex'),
    externalId: input.externalId ?? null,
    uniqueContent: input.uniqueContent ?? false,
    tags: toTags(input.tags ?? []),
    source: input.source ?? null,
    sessionId: input.sessionId ?? null,
    planId: input.planId ?? null,
    agentId: input.agentId ?? null,
    role: input.role ?? null,
    isPinned: input.isPinned ?? false,
    expiresAt: input.expiresAt ?? null,
    occurredAt,
    metadata,
    propagation: input.propagation ?? null,
    createdAt: now,
    updatedAt: now,
  };
}

async function toForms(
  engine: Engine,
  caller: Caller,
  inputs: readonly NewMemory[],
  memories: readonly Memory[],
): Promise<SearchForm[]> {
  const { embedder } = engine;
  const language = await engine.languages.of(scopeOf(caller));
  const given = inputs.map(({ embedding }) => (embedding === undefined ? undefined : toVector(embedding, embedder)));
  const open = memories.filter((_, index) => given[index] === undefined).map(searchText);
  const computed = open.length <= embedAtOnce ? await embedNow(engine, open) : undefined;
  let next = 0;
  return memories.map((memory, index) => {
    const vector = given[index] ?? computed?.[next++];
    return toSearchForm(
      searchText(memory),
      language,
      vector === undefined || embedder === null ? null : { model: embedder.model, vector },
    );
  });
}

/** What is stored already under the keys of the new memories. Kept up to date while they are stored one by one. */
class KnownMemories {
  readonly #byKey = new Map<string, Memory>();

  add(memory: Memory): void {
    for (const key of keysOf(memory)) this.#byKey.set(key, memory);
  }

  remove(memory: Memory): void {
    for (const key of keysOf(memory)) if (this.#byKey.get(key)?.id === memory.id) this.#byKey.delete(key);
  }

  byId(id: string): Memory | undefined {
    return this.#byKey.get(`id\n${id}`);
  }

  byExternalId(memory: Memory): Memory | undefined {
    return memory.externalId === null
      ? undefined
      : this.#byKey.get(`external\n${placeOf(memory)}\n${memory.externalId}`);
  }

  byContent(memory: Memory): Memory | undefined {
    return memory.uniqueContent ? this.#byKey.get(`content\n${placeOf(memory)}\n${memory.contentHash}`) : undefined;
  }
}

function placeOf({ partition, kind }: Memory): string {
  return `${partitionKey(partition)}\n${kind}`;
}

function keysOf(memory: Memory): string[] {
  return [
    `id\n${memory.id}`,
    ...(memory.externalId === null ? [] : [`external\n${placeOf(memory)}\n${memory.externalId}`]),
    ...(memory.uniqueContent ? [`content\n${placeOf(memory)}\n${memory.contentHash}`] : []),
  ];
}

async function findKnown(tables: Tables, memories: readonly Memory[]): Promise<KnownMemories> {
  const known = new KnownMemories();
  const places = new Map<string, { partition: Partition; kind: string; members: Memory[] }>();
  for (const memory of memories) {
    const place = places.get(placeOf(memory)) ?? { partition: memory.partition, kind: memory.kind, members: [] };
    place.members.push(memory);
    places.set(placeOf(memory), place);
  }
  for (const { partition } of places.values()) if (partition.kind !== 'user') tables.memories.lock(partition);
  const found = await Promise.all([
    tables.memories.findStored(memories.map(({ id }) => id)),
    ...[...places.values()].flatMap(({ partition, kind, members }) => {
      const externalIds = members.flatMap(({ externalId }) => externalId ?? []);
      const hashes = members.flatMap(({ uniqueContent, contentHash }) => (uniqueContent ? [contentHash] : []));
      return [
        ...(externalIds.length === 0 ? [] : [tables.memories.findByExternalId(partition, kind, externalIds)]),
        ...(hashes.length === 0 ? [] : [tables.memories.findByContent(partition, kind, hashes)]),
      ];
    }),
  ]);
  for (const memory of found.flat()) known.add(memory);
  return known;
}

async function checkNamespaces(tables: Tables, memories: readonly Memory[], now: Date): Promise<void> {
  const names = new Set(memories.flatMap(({ partition }) => (partition.kind === 'namespace' ? [partition.name] : [])));
  for (const name of names) {
    const found = await tables.namespaces.get(name);
    if (found === undefined || (found.expiresAt !== null && found.expiresAt <= now)) {
      throw new Problem('NOT_FOUND', `There is no namespace ${name}: make it first.`);
    }
  }
}

interface Storing {
  tables: Tables;
  known: KnownMemories;
  caller: Caller;
  now: Date;
  mutations: Mutation[];
}

/**
 * One memory. Its key is its id, else its external id, else, where content is a key, its content: an entry of the same
 * content without an external id is taken over; two external ids never become one entry.
 */
function store(storing: Storing, memory: Memory, form: SearchForm): Remembered {
  const { tables, known, now } = storing;
  const existing = findExisting(storing, memory);
  if (existing !== undefined && existing.expiresAt !== null && existing.expiresAt <= now) {
    tables.memories.delete([existing.id]);
    known.remove(existing);
    return create(storing, memory, form);
  }
  if (existing === undefined) return create(storing, memory, form);
  if (existing.userId !== memory.userId && memory.partition.kind !== 'namespace') {
    if (memory.externalId === null) return { memory: existing, outcome: 'unchanged' };
    throw new Problem('FORBIDDEN', 'This external_id belongs to a public memory of somebody else.');
  }
  const updated: Memory = {
    ...memory,
    id: existing.id,
    userId: existing.userId,
    externalId: memory.externalId ?? existing.externalId,
    createdAt: existing.createdAt,
  };
  known.remove(existing);
  known.add(updated);
  tables.memories.update(updated, form);
  storing.mutations.push(mutationOf(updated));
  return { memory: updated, outcome: 'updated' };
}

function findExisting({ known }: Storing, memory: Memory): Memory | undefined {
  const byId = known.byId(memory.id);
  if (byId !== undefined) {
    if (partitionKey(byId.partition) === partitionKey(memory.partition)) return byId;
    throw new Problem('FORBIDDEN', 'A memory with this id exists elsewhere.');
  }
  const byExternalId = known.byExternalId(memory);
  if (byExternalId !== undefined) return byExternalId;
  const byContent = known.byContent(memory);
  const another = memory.externalId !== null && byContent?.externalId != null;
  return another ? undefined : byContent;
}

function create({ tables, known, mutations }: Storing, memory: Memory, form: SearchForm): Remembered {
  known.add(memory);
  tables.memories.insert(memory, form);
  mutations.push(mutationOf(memory));
  return { memory, outcome: 'created' };
}

function mutationOf(memory: Memory): Mutation {
  return { target: memoryTarget(memory), preEtag: null, postEtag: null, contentHash: memory.contentHash };
}
