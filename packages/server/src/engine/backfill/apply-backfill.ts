import { addFound, type FoundSecrets, Problem } from '@memhall/core';
import type { BackfillCounts, BackfillMark, BackfillProgress } from '../../ports/backfill-progress.js';
import { EmbedderError } from '../../ports/embedder-error.js';
import type { LegacyFilter, LegacyMemories, LegacyMemory, WorkspaceChain } from '../../ports/legacy-memories.js';
import { inParallel } from './in-parallel.js';
import { mapNamespace, RowFault } from './map-namespace.js';
import { isPassing, type PluginTarget } from './plugin-target.js';
import { readBatches } from './read-batches.js';
import { resumeFrom } from './resume-from.js';
import { toPluginWrite } from './to-plugin-write.js';

export interface BackfillOptions {
  filter: LegacyFilter;
  /** Maximum number of rows. */
  limit?: number | undefined;
  concurrency: number;
  /** Ends the run after the calls in progress. */
  signal: AbortSignal;
  progress: BackfillProgress;
  onResume(after: BackfillCounts): void;
  onBatch(counts: BackfillCounts): void;
  onFault(id: string, reason: string): void;
}

export interface BackfillOutcome {
  counts: BackfillCounts;
  /** Secrets that were removed from the copies. */
  found: FoundSecrets;
  /** undefined if the run was completed. */
  stoppedBy?: 'signal' | 'target';
}

/** After this many failures in a row, the target is at fault and not the rows. */
const mostFailuresInARow = 20;

/**
 * Copies the old store into a plugin. Each row keeps its id, so the copy is idempotent. Rows that cannot be copied are
 * counted and reported without stopping the run; an unavailable target stops it. An interrupted run continues after its
 * last complete batch.
 */
export async function applyBackfill(
  source: LegacyMemories,
  target: PluginTarget,
  options: BackfillOptions,
): Promise<BackfillOutcome> {
  const mark = await resumeFrom(source, target, options);
  const run = new Run(target, options, mark);
  if (mark !== undefined) options.onResume(run.counts);
  try {
    for await (const batch of readBatches(source, options, mark)) {
      await run.copy(batch);
      options.onBatch(run.counts);
    }
  } catch (error) {
    const stoppedBy = options.signal.aborted ? 'signal' : error instanceof TargetGone ? 'target' : undefined;
    if (stoppedBy === undefined) throw error;
    return { counts: run.counts, found: run.found, stoppedBy };
  }
  await options.progress.clear();
  return { counts: run.counts, found: run.found };
}

class TargetGone extends Error {}

class Run {
  readonly counts: BackfillCounts;
  readonly found: FoundSecrets = {};
  readonly #target: PluginTarget;
  readonly #options: BackfillOptions;
  #lastCopiedId: string | null;
  #failuresInARow = 0;

  constructor(target: PluginTarget, options: BackfillOptions, mark: BackfillMark | undefined) {
    const { scanned, copied, skipped, errors } = mark?.counts ?? { scanned: 0, copied: 0, skipped: 0, errors: 0 };
    // Rows that an earlier run copied are skipped now; rows that failed are still missing.
    this.counts = { scanned, copied: 0, skipped: skipped + copied, errors };
    this.#lastCopiedId = mark?.lastCopiedId ?? null;
    this.#target = target;
    this.#options = options;
  }

  async copy({ rows, chains }: { rows: LegacyMemory[]; chains: Map<string, WorkspaceChain> }): Promise<void> {
    const { signal, concurrency, progress } = this.#options;
    await inParallel(rows, concurrency, async (row) => {
      signal.throwIfAborted();
      await this.#copyRow(row, chains.get(row.workspaceId) ?? { ids: [], parentOfLast: null });
    });
    const lastId = rows.at(-1)?.id;
    if (lastId !== undefined) await progress.write({ lastId, lastCopiedId: this.#lastCopiedId, counts: this.counts });
  }

  async #copyRow(row: LegacyMemory, chain: WorkspaceChain): Promise<void> {
    try {
      const namespace = mapNamespace(row, chain);
      const write = toPluginWrite(row);
      if (write === undefined) {
        this.counts.skipped += 1;
      } else {
        await this.#target.commit(namespace, write.memory);
        this.counts.copied += 1;
        this.#lastCopiedId = row.id;
        this.#failuresInARow = 0;
        addFound(this.found, write.found);
      }
    } catch (error) {
      this.#options.onFault(row.id, await this.#describe(error));
      this.counts.errors += 1;
    }
    this.counts.scanned += 1;
  }

  /** Rethrows errors that are not about this row. */
  async #describe(error: unknown): Promise<string> {
    if (error instanceof RowFault) return error.message;
    if (!(error instanceof Problem)) throw error;
    if (!isPassing(error)) return refusals[error.code] ?? `was refused (${error.code})`;
    this.#failuresInARow += 1;
    if (this.#failuresInARow >= mostFailuresInARow || !(await this.#target.isWell())) throw new TargetGone();
    return error.cause instanceof EmbedderError ? 'makes the embedder fail' : 'makes the target fail';
  }
}

const refusals: Partial<Record<Problem['code'], string>> = {
  INVALID_REQUEST: 'was refused as invalid or too large',
  PAYLOAD_TOO_LARGE: 'was refused as too large',
  FORBIDDEN: 'has an id that belongs to another namespace of the target, or the target does not accept the token',
};
