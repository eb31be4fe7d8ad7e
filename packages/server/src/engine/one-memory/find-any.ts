import { createHash } from 'node:crypto';
import { canonicalJson, Problem } from '@memhall/core';
import type { Memory, MemoryFilter } from '../../ports/memories.js';
import type { Engine } from '../engine.js';
import { getMemory } from '../memories/get-memory.js';
import { listMemories } from '../memories/list-memories.js';
import type { Page } from '../page.js';
import type { Member } from './member.js';
import { isReadable, readingOf, type Wanted } from './reading.js';

/** Returns a memory that the caller may read, from any surface. Throws NOT_FOUND. */
export async function getAny(engine: Engine, member: Member, id: string): Promise<Memory> {
  const memory = await getMemory(engine, readingOf(member).reader, id);
  if (memory === undefined || !isReadable(member, memory)) throw missing(id);
  return memory;
}

/** Lists what the caller may read, newest first. */
export function listAny(
  engine: Engine,
  member: Member,
  { filter, limit, cursor, ...wanted }: Wanted & { filter: MemoryFilter; limit: number; cursor?: string | undefined },
): Promise<Page<Memory>> {
  const { reader, scope, partitionFilters } = readingOf(member, wanted);
  return listMemories(engine, reader, { scope, filter, partitionFilters, limit, cursor });
}

export function missing(id: string): Problem {
  return new Problem('NOT_FOUND', `There is no memory ${id}.`);
}

/** Returns a strong ETag, without quotes. It changes exactly when the memory changes. */
export function etagOfMemory(memory: Memory): string {
  const { id, contentHash, tags, metadata, isPinned, expiresAt, updatedAt, trust } = memory;
  const state = [
    id,
    contentHash,
    tags,
    metadata,
    isPinned,
    expiresAt?.toISOString() ?? null,
    updatedAt.toISOString(),
    trust,
  ];
  return createHash('sha256').update(canonicalJson(state)).digest('base64url').slice(0, 27);
}
