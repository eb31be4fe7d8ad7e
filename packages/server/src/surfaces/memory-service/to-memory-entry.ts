import type { Static } from 'typebox';
import type { MemoryKind } from '../../engine/memories/kinds.js';
import type { Recalled } from '../../engine/memories/recall/recalled.js';
import type { Page } from '../../engine/page.js';
import { toNextCursor } from '../../http/wire-schemas.js';
import type { Memory } from '../../ports/memories.js';
import type { EpisodicEntry, ProceduralEntry, SemanticEntry } from './memory-schemas.js';

/** Kinds under which the engine stores the memories of this contract. */
export const kinds = { semantic: 'semantic', episodic: 'episodic', procedural: 'procedural' } as const satisfies Record<
  string,
  MemoryKind
>;

export function toSemanticEntry(tenantId: string, memory: Memory): Static<typeof SemanticEntry> {
  return {
    id: memory.id,
    tenant_id: tenantId,
    user_id: memory.userId,
    content: memory.content,
    external_id: memory.externalId,
    is_public: memory.partition.kind === 'public',
    metadata: memory.metadata,
    tags: memory.tags,
    source: memory.source,
    plan_id: memory.planId,
    session_id: memory.sessionId,
    content_hash: memory.contentHash,
    created_at: memory.createdAt.toISOString(),
    updated_at: memory.updatedAt.toISOString(),
  };
}

export function toEpisodicEntry(memory: Memory): Static<typeof EpisodicEntry> {
  return {
    id: memory.id,
    agent_id: memory.agentId ?? '',
    role: memory.role ?? '',
    content: memory.content,
    metadata: memory.metadata,
    session_id: memory.sessionId,
    occurred_at: memory.occurredAt.toISOString(),
    created_at: memory.createdAt.toISOString(),
  };
}

export function toProceduralEntry(memory: Memory): Static<typeof ProceduralEntry> {
  return {
    id: memory.id,
    agent_id: memory.agentId ?? '',
    trigger_condition: memory.cue,
    procedure_type: memory.role ?? '',
    content: memory.content,
    metadata: memory.metadata,
    occurred_at: memory.occurredAt.toISOString(),
    created_at: memory.createdAt.toISOString(),
  };
}

/** Converts results to entries with their score, best first. */
export function toScored<T>(results: readonly Recalled[], toEntry: (memory: Memory) => T) {
  const entries = results.map(({ memory, score }) => ({ ...toEntry(memory), score }));
  return { entries, count: entries.length };
}

/** Converts one page of a list. */
export function toEntryPage<T>({ items, nextCursor }: Page<Memory>, toEntry: (memory: Memory) => T) {
  return { ...toEntries(items, toEntry), ...toNextCursor(nextCursor) };
}

export function toEntries<T>(memories: readonly Memory[], toEntry: (memory: Memory) => T) {
  return { entries: memories.map(toEntry), count: memories.length };
}
