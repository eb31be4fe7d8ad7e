import type { ChainedRecord, RecordedIn } from '../../ports/audit-log.js';
import type { Memory } from '../../ports/memories.js';
import type { SurfaceName } from '../../ports/memory-origin.js';
import type { Caller } from '../caller.js';
import { documentOfPiece } from '../document-pieces/piece-memory.js';
import { documentTarget } from '../documents/document-path.js';
import type { Engine } from '../engine.js';
import { eventIdOf, eventKind, eventTarget } from '../events/event-record.js';
import { getMemory } from '../memories/get-memory.js';
import { memoryTarget } from '../memories/memory-target.js';
import { surfaceOf } from '../operation-surface.js';
import { resourceOf, resourceTarget } from '../resources/resource-chunks.js';
import { placeOfPiece } from '../tiers/tier-session.js';

/** One change of a memory, without its content. */
export interface HistoryEntry {
  at: Date;
  /** written: it got this text. changed: something else about it changed. removed: it was stored again later. */
  change: 'written' | 'changed' | 'removed';
  surface: SurfaceName;
  operation: string;
  /** Who did it, as in the audit record. */
  actor: { userId: string | null; serviceId: string | null };
}

interface MemoryHistory {
  memory: Memory;
  /** Oldest first; at most the latest `mostEntries`. */
  entries: HistoryEntry[];
}

export const mostEntries = 100;

/**
 * Returns a memory with what the audit log says about it. A memory that is derived from another record has the history of
 * that record. Returns undefined if the memory does not exist or the caller may not see it.
 */
export async function memoryHistory(engine: Engine, caller: Caller, id: string): Promise<MemoryHistory | undefined> {
  const memory = await getMemory(engine, caller, id);
  return memory && { memory, entries: await historyOf(engine, caller, memory) };
}

/** Returns what the audit log says about a memory that the caller has read: the latest entries, oldest first. */
export async function historyOf(engine: Engine, caller: Caller, memory: Memory): Promise<HistoryEntry[]> {
  // One more, to know what the oldest shown entry changed.
  const wanted = { target: recordTarget(memory), in: chainsOf(memory), limit: mostEntries + 1 };
  const records = await engine.store.inspect(caller.tenantId, (tables) => tables.audit.ofTarget(wanted));
  return toEntries(records.reverse()).slice(-mostEntries);
}

/**
 * The chains in which a memory's records are. This reads chains that the caller may not read, so it must find nothing but
 * records of this memory: an id can be taken again by somebody else once its memory is gone. The records of a shared
 * memory are in the chains of its writers and name its namespace. Those of any other are in the chain of its owner.
 */
function chainsOf({ partition, userId }: Memory): RecordedIn {
  return partition.kind === 'namespace' ? { namespace: partition.name } : { chainOf: userId };
}

function recordTarget(memory: Memory): string {
  if (memory.kind === eventKind) return eventTarget(eventIdOf(memory));
  const resourceId = resourceOf(memory);
  if (resourceId !== null) return resourceTarget(resourceId);
  const document = placeOfPiece(memory) ?? documentOfPiece(memory);
  return document === undefined ? memoryTarget(memory) : documentTarget(document);
}

interface AuditRecord {
  at: string;
  operation: string;
  actor: { user_id: string | null; service_id: string | null };
  content_sha256: string | null;
}

/** `records` are oldest first. */
function toEntries(records: readonly ChainedRecord[]): HistoryEntry[] {
  let before: string | null = null;
  return records.map(({ record }) => {
    const { at, operation, actor, content_sha256: after }: AuditRecord = JSON.parse(record);
    const change = after === null ? 'removed' : after === before ? 'changed' : 'written';
    before = after;
    return {
      at: new Date(at),
      change,
      surface: surfaceOf(operation),
      operation,
      actor: { userId: actor.user_id, serviceId: actor.service_id },
    };
  });
}
