import { Problem } from '@memhall/core';
import type { Memory } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, onTheRecord } from '../caller.js';
import type { Engine } from '../engine.js';
import { type ExternalKey, findByExternalId } from './external-key.js';
import { getForChange } from './get-for-change.js';
import type { MemoryKind } from './kinds.js';
import { memoryMutation } from './memory-target.js';
import { tellRemoved } from './memory-watcher.js';
import { partitionOf } from './scope-partitions.js';

interface ForgetOptions {
  /** Memories of other kinds are skipped. */
  kind?: MemoryKind | undefined;
  /** Throws if a memory must not be removed in its present state. */
  check?: ((current: Memory) => void) | undefined;
  /** Returns further memories that are removed with them. */
  alsoOf?: ((tables: Tables, now: Date) => Promise<Memory[]>) | undefined;
}

/**
 * Removes memories permanently, including vector and index form, and returns them. Skips memories that the caller
 * cannot see. Throws FORBIDDEN, without removing anything, if one is another user's public memory.
 */
export function forgetMemories(
  engine: Engine,
  caller: Caller,
  ids: readonly string[],
  { kind, check, alsoOf }: ForgetOptions = {},
): Promise<Memory[]> {
  return mutate(engine, onTheRecord(caller), async (tables, now) => {
    const seen = await getForChange(tables, ids, now);
    const found = kind === undefined ? seen : seen.filter((memory) => memory.kind === kind);
    for (const memory of found) check?.(memory);
    const others = found.length === 0 ? [] : ((await alsoOf?.(tables, now)) ?? []);
    return { result: found, mutations: await removeMemories(engine, tables, caller, [...found, ...others], now) };
  });
}

/** Removes the memory of a kind that has an external id, and returns it. Returns undefined if there is none. Throws FORBIDDEN. */
export function forgetByExternalId(engine: Engine, caller: Caller, key: ExternalKey): Promise<Memory | undefined> {
  return mutate(engine, onTheRecord(caller), async (tables, now) => {
    const partition = partitionOf(caller, key.visibility);
    if (partition.kind !== 'user') tables.memories.lock(partition);
    const found = await findByExternalId(tables, caller, key, now);
    const removed = found === undefined ? [] : [found];
    return { result: found, mutations: await removeMemories(engine, tables, caller, removed, now) };
  });
}

/** Throws FORBIDDEN, without removing anything, if one is another user's public memory. */
async function removeMemories(
  engine: Engine,
  tables: Tables,
  caller: Caller,
  found: readonly Memory[],
  now: Date,
): Promise<Mutation[]> {
  if (found.some(({ userId, partition }) => partition.kind === 'public' && userId !== caller.userId)) {
    throw new Problem('FORBIDDEN', 'Only the author of a public memory can delete it.');
  }
  const ids = found.map(({ id }) => id);
  if (ids.length > 0) tables.memories.delete(ids);
  const followed = await tellRemoved(engine, tables, ids, now);
  return [...found.map((memory) => memoryMutation(memory, null)), ...followed];
}
