import { Problem } from '@memhall/core';
import { mutateTenant } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, encodeCursor } from '../page.js';
import type { CarriedMemory } from './carried-memory.js';
import type { MemoryHolding } from './memory-holding.js';

interface ExportQuery {
  /** undefined for everything. */
  limit?: number | undefined;
  cursor?: string | undefined;
  namespace?: string | undefined;
}

/** The last part describes how the export ended. */
export type ExportPart =
  | { memories: readonly CarriedMemory[] }
  | { nextCursor: string | undefined; truncated: readonly string[] };

const pageSize = 500;

/**
 * Exports all memories of a holding in parts that fit into memory, or one page. The export is recorded in the audit log
 * first.
 */
export async function* exportMemories(
  engine: Engine,
  holding: MemoryHolding,
  caller: Caller,
  { limit, cursor, namespace }: ExportQuery,
): AsyncGenerator<ExportPart> {
  checkTenant(holding, caller);
  let position = cursor === undefined ? undefined : decodeCursor(cursor, holding.positionParts);
  await mutateTenant(engine, caller, async () => ({ result: undefined, mutations: [exportOf(holding)] }));
  const truncated = new Set<string>();
  do {
    const page = await holding.page(caller, { position, limit: limit ?? pageSize, namespace });
    yield { memories: page.memories };
    for (const name of page.truncated ?? []) truncated.add(name);
    position = page.position && [...page.position];
  } while (limit === undefined && position !== undefined);
  yield { nextCursor: position && encodeCursor(position), truncated: [...truncated] };
}

export function checkTenant({ tenantId }: MemoryHolding, caller: Caller): void {
  if (tenantId !== undefined && tenantId !== caller.tenantId) {
    throw new Problem('FORBIDDEN', 'These memories belong to another tenant.');
  }
}

function exportOf({ name }: MemoryHolding) {
  return { target: `memories/${name}`, preEtag: null, postEtag: null, contentHash: null };
}
