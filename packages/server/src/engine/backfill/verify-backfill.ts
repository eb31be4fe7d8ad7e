import type { LegacyMemories, LegacyMemory, WorkspaceChain } from '../../ports/legacy-memories.js';
import { type Copy, findCopy } from './find-copy.js';
import { inParallel } from './in-parallel.js';
import { mapNamespace, RowFault } from './map-namespace.js';
import type { PluginTarget } from './plugin-target.js';
import { readBatches } from './read-batches.js';
import { toPluginWrite } from './to-plugin-write.js';

export interface VerifyCounts {
  workspacesSampled: number;
  matches: number;
  mismatches: number;
  errors: number;
  /** Matches whose id could not be checked, because a hundred memories with the same text hide it. */
  amongEquals: number;
}

export interface VerifyOptions {
  /** Verify this workspace instead of a sample. */
  workspaceId?: string | undefined;
  /** Maximum number of workspaces; all rows of each are verified. */
  sample: number;
  /** Maximum number of rows. */
  limit?: number | undefined;
  concurrency: number;
  signal: AbortSignal;
  onWorkspace(done: number, of: number, counts: VerifyCounts): void;
  onMismatch(id: string, namespace: string, reason: string): void;
  onFault(id: string, reason: string): void;
}

/** Compares the old store with a plugin, row by row, through the plugin's search. Writes nothing. */
export async function verifyBackfill(
  source: LegacyMemories,
  target: PluginTarget,
  options: VerifyOptions,
): Promise<{ counts: VerifyCounts; stoppedBy?: 'signal' }> {
  const { signal, workspaceId, concurrency } = options;
  const counts: VerifyCounts = { workspacesSampled: 0, matches: 0, mismatches: 0, errors: 0, amongEquals: 0 };
  const workspaces = workspaceId === undefined ? await source.sampleWorkspaces(options.sample) : [workspaceId];
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  try {
    for (const workspace of workspaces) {
      if (left <= 0) break;
      let rowCount = 0;
      for await (const batch of readBatches(source, { filter: { workspaceId: workspace }, limit: left, signal })) {
        const chain = batch.chains.get(workspace) ?? { ids: [], parentOfLast: null };
        await inParallel(batch.rows, concurrency, async (row) => {
          signal.throwIfAborted();
          await verifyRow(target, row, chain, counts, options);
        });
        rowCount += batch.rows.length;
      }
      left -= rowCount;
      if (rowCount > 0) counts.workspacesSampled += 1;
      options.onWorkspace(counts.workspacesSampled, workspaces.length, counts);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return { counts, stoppedBy: 'signal' };
  }
  return { counts };
}

async function verifyRow(
  target: PluginTarget,
  row: LegacyMemory,
  chain: WorkspaceChain,
  counts: VerifyCounts,
  { onMismatch, onFault }: VerifyOptions,
): Promise<void> {
  try {
    const { name } = mapNamespace(row, chain);
    const write = toPluginWrite(row);
    // Blank rows are not copied.
    if (write === undefined) return;
    const copy = await findCopy(target, name, write.memory);
    const difference = compare(copy, write.memory.content);
    if (difference === undefined) {
      counts.matches += 1;
      if (copy === 'among-equals') counts.amongEquals += 1;
      return;
    }
    counts.mismatches += 1;
    onMismatch(row.id, name, difference);
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    counts.errors += 1;
    onFault(row.id, error.message);
  }
}

function compare(copy: Copy, content: string): string | undefined {
  if (copy === 'among-equals') return undefined;
  if (copy === 'absent') return 'is missing';
  if (copy === 'unknown') return 'was not found: every search was full of others';
  return copy.memory.content.normalize('NFC') === content ? undefined : 'has different content';
}
