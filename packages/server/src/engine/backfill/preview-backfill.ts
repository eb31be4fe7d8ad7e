import { addFound, type FoundSecrets } from '@memhall/core';
import type { BackfillCounts } from '../../ports/backfill-progress.js';
import type { LegacyMemories } from '../../ports/legacy-memories.js';
import type { BackfillOptions } from './apply-backfill.js';
import { mapNamespace, RowFault } from './map-namespace.js';
import { type LegacyBatch, readBatches } from './read-batches.js';
import { toPluginWrite } from './to-plugin-write.js';

interface WorkspacePreview {
  rows: number;
  /** Number of rows that would go to each namespace. */
  namespaces: Map<string, number>;
}

export interface BackfillPreview {
  /** `copied` stays 0: nothing is copied. */
  counts: BackfillCounts;
  workspaces: Map<string, WorkspacePreview>;
  /** Secrets that would be removed. */
  found: FoundSecrets;
  /** undefined if the run was completed. */
  stoppedBy?: 'signal';
}

/** Returns what a backfill would do, by workspace. Writes nothing and needs no target. */
export async function previewBackfill(
  source: LegacyMemories,
  options: Pick<BackfillOptions, 'filter' | 'limit' | 'signal' | 'onBatch' | 'onFault'>,
): Promise<BackfillPreview> {
  const counts = { scanned: 0, copied: 0, skipped: 0, errors: 0 };
  const workspaces = new Map<string, WorkspacePreview>();
  const found: FoundSecrets = {};
  const look = ({ rows, chains }: LegacyBatch) => {
    for (const row of rows) {
      const preview = workspaces.get(row.workspaceId) ?? { rows: 0, namespaces: new Map<string, number>() };
      workspaces.set(row.workspaceId, preview);
      preview.rows += 1;
      counts.scanned += 1;
      try {
        const { name } = mapNamespace(row, chains.get(row.workspaceId) ?? { ids: [], parentOfLast: null });
        const write = toPluginWrite(row);
        if (write === undefined) {
          counts.skipped += 1;
          continue;
        }
        addFound(found, write.found);
        preview.namespaces.set(name, (preview.namespaces.get(name) ?? 0) + 1);
      } catch (error) {
        if (!(error instanceof RowFault)) throw error;
        counts.errors += 1;
        options.onFault(row.id, error.message);
      }
    }
    options.onBatch(counts);
  };
  try {
    for await (const batch of readBatches(source, options)) look(batch);
  } catch (error) {
    if (!options.signal.aborted) throw error;
    return { counts, workspaces, found, stoppedBy: 'signal' };
  }
  return { counts, workspaces, found };
}
