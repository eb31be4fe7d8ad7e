import { type FoundSecrets, Problem } from '@memhall/core';
import { type Memory, partitionKey, type SearchForm } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import { findUnrecorded, nilId } from '../audit/off-the-record.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { readLong } from '../read-long.js';
import { searchText } from './analysis/to-search-form.js';
import { embedNow } from './embed-now.js';
import { isRebuilt } from './kinds.js';
import { findKnown, type KnownMemories } from './known-memories.js';
import { memoryLimits, toVector } from './memory-input.js';
import { memoryMutation } from './memory-target.js';
import { givenText, type NewMemory, toMemory } from './new-memory.js';
import { originAfterWrite } from './origin-of-write.js';
import { type ReadText, readTextsTask, sizeOfTexts } from './read-texts.js';

export interface Remembered {
  memory: Memory;
  /**
   * unchanged: it already exists and either was to be kept or is another user's public memory. unstored: it is off the record, and its
   * id names nothing.
   */
  outcome: 'created' | 'updated' | 'unchanged' | 'unstored';
  /** It had another text before. */
  isReworded?: boolean;
}

/**
 * Up to this many texts are embedded before a write returns, if the embedder is local; larger batches are embedded
 * right afterwards.
 */
const embedAtOnce = 32;

export async function remember(
  engine: Engine,
  caller: Caller,
  input: NewMemory,
  options: StoreOptions = {},
): Promise<Remembered> {
  const [result] = await rememberMany(engine, caller, [input], options);
  if (result === undefined) throw new Error('storing a memory gave no result');
  return result;
}

/** Stores all memories or none, in order, except those that are off the record. */
export function rememberMany(
  engine: Engine,
  caller: Caller,
  inputs: readonly NewMemory[],
  options: StoreOptions = {},
): Promise<Remembered[]> {
  return rememberRecorded(engine, caller, inputs, async (recorded) => {
    const prepared = await prepareMemories(engine, caller, recorded);
    const follow = await options.follows?.(prepared.memories);
    const results = await mutate(engine, caller, async (tables, now) => {
      const { remembered, mutations } = await storeMemories(tables, caller, prepared, options);
      const followed = (await follow?.(tables, remembered, now)) ?? [];
      return { result: remembered, mutations: [...mutations, ...followed] };
    });
    noteStored(engine, caller, prepared);
    return results;
  });
}

/** Stores those of the memories that are not off the record. Returns the results in order: of the others what they would have been. */
export async function rememberRecorded(
  engine: Engine,
  caller: Caller,
  inputs: readonly NewMemory[],
  store: (recorded: readonly NewMemory[]) => Promise<Remembered[]>,
): Promise<Remembered[]> {
  checkBatch(inputs);
  const isOff = await findUnrecorded(
    engine,
    caller,
    inputs.map(({ sessionId }) => sessionId),
  );
  if (!isOff.includes(true)) return store(inputs);
  const off = inputs.filter((_, index) => isOff[index]);
  const { memories } = await makeMemories(engine, caller, off);
  const unstored = isOff.map((one): Remembered | undefined => {
    const memory = one ? memories.shift() : undefined;
    return memory && { memory: { ...memory, id: nilId }, outcome: 'unstored' };
  });
  const recorded = inputs.filter((_, index) => !isOff[index]);
  const stored = recorded.length === 0 ? [] : await store(recorded);
  return unstored.map((one) => one ?? stored.shift()).filter((one) => one !== undefined);
}

function checkBatch({ length }: readonly NewMemory[]): void {
  if (length <= memoryLimits.batch) return;
  throw new Problem('INVALID_REQUEST', `At most ${memoryLimits.batch} memories can be stored in one call.`);
}

/** Does what follows from stored memories, in the transaction. Returns the changes for the audit log. */
export type Follow = (tables: Tables, remembered: readonly Remembered[], now: Date) => Promise<Mutation[]>;

interface StoreOptions {
  /** Prepares what follows from the memories, before the transaction. */
  follows?: (memories: readonly Memory[]) => Promise<Follow>;
  /** Leaves an existing memory with the same key unchanged. */
  keepsExisting?: boolean;
}

/** New memories after all slow steps: checked, analysed and, if the embedder is local, embedded. */
export interface PreparedMemories {
  memories: readonly Memory[];
  /** The ids that the caller chose. */
  givenIds: readonly string[];
  forms: readonly SearchForm[];
  /** Secrets that were removed from each. */
  found: readonly FoundSecrets[];
  now: Date;
}

export async function prepareMemories(
  engine: Engine,
  caller: Caller,
  inputs: readonly NewMemory[],
): Promise<PreparedMemories> {
  checkBatch(inputs);
  const { memories, read, now } = await makeMemories(engine, caller, inputs);
  const embeddings = await embed(engine, inputs, memories);
  return {
    memories,
    givenIds: inputs.flatMap(({ id }) => id ?? []),
    forms: read.map(({ form }, index) => ({ ...form, embedding: embeddings[index] ?? null })),
    found: read.map(({ found }) => found),
    now,
  };
}

/** Checks new memories and reads their texts. */
async function makeMemories(engine: Engine, caller: Caller, inputs: readonly NewMemory[]) {
  const now = engine.clock.now();
  const texts = inputs.map(givenText);
  const also = await engine.tenants.alsoRedacted(scopeOf(caller));
  const language = await engine.tenants.language(scopeOf(caller));
  const read = await readLong(engine, readTextsTask, { texts, also, language }, sizeOfTexts(texts));
  const memories = inputs.map((input, index) => toMemory(caller, input, { text: (read[index] as ReadText).text, now }));
  return { memories, read, now };
}

/**
 * Stores memories as part of a larger change. `mutations` describes each; the caller may record the change differently.
 */
export async function storeMemories(
  tables: Tables,
  caller: Caller,
  { memories, givenIds, forms, now }: PreparedMemories,
  { keepsExisting = false }: StoreOptions = {},
): Promise<{ remembered: Remembered[]; mutations: Mutation[] }> {
  const known = await findKnown(tables, memories, givenIds);
  await checkNamespaces(tables, memories, now);
  const mutations: Mutation[] = [];
  const remembered = memories.map((memory, index) =>
    store({ tables, known, caller, now, mutations, keepsExisting }, memory, forms[index] as SearchForm),
  );
  return { remembered, mutations };
}

/**
 * Call after the change is committed: memories without a vector get one in the background, and redactions are counted.
 */
export function noteStored(engine: Engine, caller: Caller, { forms, found }: PreparedMemories): void {
  const waits = engine.embedder !== null && forms.some(({ embedding }) => embedding === null);
  if (waits) engine.onUnembedded(caller.tenantId);
  for (const secrets of found) engine.telemetry.countRedactions(secrets);
}

/** Returns the vectors that are given, or can be computed now. */
async function embed(
  engine: Engine,
  inputs: readonly NewMemory[],
  memories: readonly Memory[],
): Promise<SearchForm['embedding'][]> {
  const { embedder } = engine;
  const given = inputs.map(({ embedding, content }, index) => {
    const vector = embedding === undefined ? undefined : toVector(embedding, embedder);
    // A vector computed from a text with a secret does not match the text without it.
    return memories[index]?.content === content.normalize('NFC') ? vector : undefined;
  });
  const open = memories.filter((_, index) => given[index] === undefined).map(searchText);
  const computed = open.length <= embedAtOnce ? await embedNow(engine, open) : undefined;
  let next = 0;
  return memories.map((_, index) => {
    const vector = given[index] ?? computed?.[next++];
    return vector === undefined || embedder === null ? null : { model: embedder.model, vector };
  });
}

async function checkNamespaces(tables: Tables, memories: readonly Memory[], now: Date): Promise<void> {
  const names = new Set(memories.flatMap(({ partition }) => (partition.kind === 'namespace' ? [partition.name] : [])));
  for (const name of names) {
    const found = await tables.namespaces.get(name);
    if (found === undefined || (found.expiresAt !== null && found.expiresAt <= now)) {
      throw new Problem('NOT_FOUND', `Namespace ${name} does not exist: create it first.`);
    }
  }
}

interface Storing {
  tables: Tables;
  known: KnownMemories;
  caller: Caller;
  now: Date;
  mutations: Mutation[];
  keepsExisting: boolean;
}

/**
 * Stores one memory. Its key is its id, else its external id, else its content if content is a key. An existing memory
 * with the same content and no external id is replaced; memories with different external ids are never merged.
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
  if (storing.keepsExisting) return { memory: existing, outcome: 'unchanged' };
  if (existing.userId !== memory.userId && memory.partition.kind !== 'namespace') {
    const sameContent = memory.externalId === null && memory.id !== existing.id;
    if (sameContent) return { memory: existing, outcome: 'unchanged' };
    throw new Problem('FORBIDDEN', "This id or external_id belongs to another user's public memory.");
  }
  const updated: Memory = {
    ...memory,
    id: existing.id,
    userId: existing.userId,
    externalId: memory.externalId ?? existing.externalId,
    // Earlier only if the caller says when it was first stored.
    createdAt: memory.createdAt < now && memory.createdAt < existing.createdAt ? memory.createdAt : existing.createdAt,
    ...originAfterWrite(existing, memory),
    recordedAt: existing.recordedAt,
  };
  known.remove(existing);
  known.add(updated);
  tables.memories.update(updated, form, { keepsVersion: !isRebuilt(updated.kind) });
  storing.mutations.push(memoryMutation(updated, updated.contentHash));
  return { memory: updated, outcome: 'updated', isReworded: existing.contentHash !== updated.contentHash };
}

function findExisting({ known }: Storing, memory: Memory): Memory | undefined {
  const byId = known.byId(memory.id);
  if (byId !== undefined) {
    if (partitionKey(byId.partition) === partitionKey(memory.partition)) return byId;
    throw new Problem(
      'FORBIDDEN',
      'A memory with this id already exists with another visibility or in another namespace.',
    );
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
  mutations.push(memoryMutation(memory, memory.contentHash));
  return { memory, outcome: 'created' };
}
