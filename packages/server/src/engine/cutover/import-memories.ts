import { addFound, type FoundSecrets, Problem } from '@memhall/core';
import type { Mutation } from '../audit/audit-record.js';
import { mutateTenant } from '../audit/mutate.js';
import { inParallel } from '../backfill/in-parallel.js';
import { RowFault } from '../backfill/map-namespace.js';
import { isPassing } from '../backfill/plugin-target.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import type { CarriedMemory } from './carried-memory.js';
import { checkTenant } from './export-memories.js';
import type { MemoryHolding } from './memory-holding.js';

/** A memory read from a request, or the reason why it could not be read. */
export type Offered = { memory: CarriedMemory } | { fault: string };

interface ImportReport {
  imported: number;
  /** Memories that already existed unchanged. */
  skipped: number;
  /** By index in the request. */
  faults: { index: number; reason: string }[];
  total: number;
}

const batchSize = 100;
const concurrency = 4;

/**
 * Imports memories into a holding, without their secrets. One that cannot be stored does not prevent the others. A
 * failing store ends the import with UNAVAILABLE: memories already imported stay, and repeating the request imports the
 * rest.
 */
export async function importMemories(
  engine: Engine,
  holding: MemoryHolding,
  caller: Caller,
  offered: readonly Offered[],
): Promise<ImportReport> {
  checkTenant(holding, caller);
  const report: ImportReport = { imported: 0, skipped: 0, faults: [], total: offered.length };
  const found: FoundSecrets = {};
  const entrance = await holding.entrance(caller);
  const also = await engine.tenants.alsoRedacted(scopeOf(caller));
  for (let from = 0; from < offered.length; from += batchSize) {
    const records: Mutation[] = [];
    const batch = offered.slice(from, from + batchSize).map((one, place) => ({ one, index: from + place }));
    const bringIn = async ({ one, index }: { one: Offered; index: number }) => {
      if ('fault' in one) {
        report.faults.push({ index, reason: one.fault });
        return;
      }
      try {
        const brought = await entrance.bringIn(one.memory, also);
        report[brought.outcome] += 1;
        addFound(found, brought.found);
        if (brought.record !== null) records.push({ ...brought.record, preEtag: null, postEtag: null });
      } catch (error) {
        report.faults.push({ index, reason: describe(error) });
      }
    };
    try {
      await inParallel(batch, concurrency, bringIn);
    } finally {
      if (records.length > 0) {
        await mutateTenant(engine, caller, async () => ({ result: undefined, mutations: records }));
      }
    }
  }
  engine.telemetry.countRedactions(found);
  report.faults.sort((a, b) => a.index - b.index);
  return report;
}

/** Rethrows errors that are not about one memory. */
function describe(error: unknown): string {
  if (error instanceof RowFault) return error.message;
  if (!(error instanceof Problem) || isPassing(error) || error.status >= 500) throw error;
  return error.message;
}
