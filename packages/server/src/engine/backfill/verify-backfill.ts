import type { LegacyMemories, LegacyMemory, WorkspaceChain } from '../../ports/legacy-memories.js';
import type { AcceptedRow, AcceptedRows, DifferenceKind } from './accepted-rows.js';
import { findCopy } from './find-copy.js';
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
  /** Mismatches and errors that are on the list of accepted rows, and in neither of the counts above. */
  accepted: number;
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
  accepted?: AcceptedRows | undefined;
  onWorkspace(done: number, of: number, counts: VerifyCounts): void;
  onMismatch(id: string, namespace: string, reason: string): void;
  onFault(id: string, reason: string): void;
  onAccepted?(id: string, difference: string, accepted: AcceptedRow): void;
  /** An entry of the list of accepted rows that did not apply. */
  onStale?(id: string, reason: string): void;
}

/** Compares the old store with a plugin, row by row, through the plugin's search. Writes nothing. */
export async function verifyBackfill(
  source: LegacyMemories,
  target: PluginTarget,
  options: VerifyOptions,
): Promise<{ counts: VerifyCounts; stoppedBy?: 'signal' }> {
  const { signal, workspaceId, concurrency } = options;
  const counts: VerifyCounts = {
    workspacesSampled: 0,
    matches: 0,
    mismatches: 0,
    errors: 0,
    accepted: 0,
    amongEquals: 0,
  };
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
  for await (const { id, reason } of options.accepted?.findStale(source) ?? []) options.onStale?.(id, reason);
  return { counts };
}

interface Difference {
  kind: DifferenceKind;
  reason: string;
  /** undefined if the row cannot be mapped. */
  namespace?: string;
}

async function verifyRow(
  target: PluginTarget,
  row: LegacyMemory,
  chain: WorkspaceChain,
  counts: VerifyCounts,
  options: VerifyOptions,
): Promise<void> {
  const { accepted, onMismatch, onFault, onAccepted } = options;
  const verdict = await compareRow(target, row, chain);
  if (typeof verdict === 'string') {
    accepted?.noteSame(row.id, verdict === 'blank' ? 'blank' : 'matches');
    if (verdict !== 'blank') counts.matches += 1;
    if (verdict === 'among-equals') counts.amongEquals += 1;
    return;
  }
  const { kind, reason, namespace } = verdict;
  const entry = accepted?.accept(row.id, kind);
  if (entry !== undefined) {
    counts.accepted += 1;
    onAccepted?.(row.id, reason, entry);
  } else if (namespace === undefined) {
    counts.errors += 1;
    onFault(row.id, reason);
  } else {
    counts.mismatches += 1;
    onMismatch(row.id, namespace, reason);
  }
}

async function compareRow(
  target: PluginTarget,
  row: LegacyMemory,
  chain: WorkspaceChain,
): Promise<'same' | 'among-equals' | 'blank' | Difference> {
  try {
    const { name: namespace } = mapNamespace(row, chain);
    const write = toPluginWrite(row);
    // Blank rows are not copied.
    if (write === undefined) return 'blank';
    const copy = await findCopy(target, namespace, write.memory);
    if (copy === 'among-equals') return copy;
    if (copy === 'absent') return { kind: 'missing', reason: 'is missing', namespace };
    if (copy === 'unknown') {
      return { kind: 'hidden', reason: 'was not found: every search was full of others', namespace };
    }
    if (copy.memory.content.normalize('NFC') === write.memory.content) return 'same';
    return { kind: 'different', reason: 'has different content', namespace };
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    return { kind: 'error', reason: error.message };
  }
}
