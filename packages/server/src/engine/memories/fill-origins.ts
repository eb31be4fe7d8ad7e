import type { Json } from '@memhall/core';
import type { Memory } from '../../ports/memories.js';
import type { MemoryOrigin } from '../../ports/memory-origin.js';
import type { Tables } from '../../ports/store.js';
import { maintain } from '../audit/maintain.js';
import type { Engine } from '../engine.js';
import { listTenants } from '../list-tenants.js';
import { lowestTrust } from '../trust.js';
import { toOrigin } from './origin-of-write.js';
import { groupByWriter, writerScope } from './refresh-forms.js';

const batchSize = 200;

/**
 * Stores the origins of a tenant's memories that were written without one: by versions that did not know origins. A memory
 * that changes concurrently gets its origin from that change. Returns how many were filled; whatever is left, after an
 * interruption, is done by the next run.
 */
export async function fillOrigins(engine: Engine, tenantId: string, signal?: AbortSignal): Promise<number> {
  let filled = 0;
  for (let after = 0n; ; ) {
    signal?.throwIfAborted();
    const page = { after, limit: batchSize };
    const batch = await engine.store.inspect(tenantId, (tables) => tables.memories.withoutOrigin(page));
    const last = batch.at(-1);
    if (last === undefined) return filled;
    for (const members of groupByWriter(batch.map(({ memory }) => memory)).values()) {
      await maintain(engine, writerScope(tenantId, members[0] as Memory), (tables) => fillGroup(tables, members));
      filled += members.length;
    }
    after = last.seq;
  }
}

async function fillGroup(tables: Tables, members: readonly Memory[]): Promise<void> {
  const [first] = members;
  if (first !== undefined && first.partition.kind !== 'user') tables.memories.lock(first.partition);
  const messages = await messagesBehind(tables, members);
  for (const memory of members) {
    tables.memories.fillOrigin(memory.id, originOfStored(memory, messages), memory.recordedAt);
  }
}

/** Facts that were learned from messages name them. Their trust is the lowest of those that still exist. */
function originOfStored(memory: Memory, messages: ReadonlyMap<string, Memory>): MemoryOrigin {
  const origin = toOrigin(memory);
  const [first, ...others] = evidenceOf(memory).flatMap((id) => messages.get(id)?.trust ?? []);
  return first === undefined ? origin : { ...origin, trust: lowestTrust(first, ...others) };
}

async function messagesBehind(tables: Tables, members: readonly Memory[]): Promise<Map<string, Memory>> {
  const ids = [...new Set(members.flatMap(evidenceOf))];
  const found = ids.length === 0 ? [] : await tables.memories.findStored(ids);
  return new Map(found.map((message) => [message.id, message]));
}

function evidenceOf({ kind, metadata }: Memory): string[] {
  if (kind !== 'fact') return [];
  const ids = memberOf(metadata.evidence, 'message_ids');
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value[name] : undefined;
}

/** Returns how many memories of the tenant have no origin yet. */
export function originBacklog(engine: Engine, tenantId: string): Promise<number> {
  return engine.store.inspect(tenantId, (tables) => tables.memories.countWithoutOrigin());
}

/** Returns the sum over all tenants. */
export async function totalOriginBacklog(engine: Engine): Promise<number> {
  let total = 0;
  for (const tenantId of await listTenants(engine)) total += await originBacklog(engine, tenantId);
  return total;
}
