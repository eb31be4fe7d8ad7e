import type { LegacyFilter, LegacyMemories, LegacyMemory, WorkspaceChain } from '../../ports/legacy-memories.js';

export interface LegacyBatch {
  rows: LegacyMemory[];
  /** For all workspaces of the rows. */
  chains: Map<string, WorkspaceChain>;
}

const batchSize = 200;

/** Reads rows ordered by id, with the workspace chains needed to map them. Keeps only one batch in memory. */
export async function* readBatches(
  source: LegacyMemories,
  { filter, limit, signal }: { filter: LegacyFilter; limit?: number | undefined; signal: AbortSignal },
  start?: { lastId: string; counts: { scanned: number } },
): AsyncGenerator<LegacyBatch> {
  let after = start?.lastId;
  let left = (limit ?? Number.POSITIVE_INFINITY) - (start?.counts.scanned ?? 0);
  while (left > 0) {
    signal.throwIfAborted();
    const rows = await source.page(filter, { after, limit: Math.min(batchSize, left) });
    if (rows.length === 0) return;
    yield { rows, chains: await source.chains([...new Set(rows.map(({ workspaceId }) => workspaceId))]) };
    after = rows.at(-1)?.id;
    left -= rows.length;
  }
}
