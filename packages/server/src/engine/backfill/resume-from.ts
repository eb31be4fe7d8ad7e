import type { BackfillMark, BackfillProgress } from '../../ports/backfill-progress.js';
import type { LegacyFilter, LegacyMemories } from '../../ports/legacy-memories.js';
import { findCopy } from './find-copy.js';
import { mapNamespace, RowFault } from './map-namespace.js';
import type { PluginTarget } from './plugin-target.js';
import { toPluginWrite } from './to-plugin-write.js';

/**
 * Returns where to resume an interrupted run; undefined to start from the beginning. A mark counts only if the last row
 * copied is still in the target with the content of the source: a target that was emptied since then gets everything
 * again.
 */
export async function resumeFrom(
  source: LegacyMemories,
  target: PluginTarget,
  { progress, filter }: { progress: BackfillProgress; filter: LegacyFilter },
): Promise<BackfillMark | undefined> {
  const mark = await progress.read();
  if (mark === undefined || mark.lastCopiedId === null) return undefined;
  const row = await source.get(mark.lastCopiedId);
  if (row === undefined || (filter.workspaceId !== undefined && row.workspaceId !== filter.workspaceId))
    return undefined;
  try {
    const chains = await source.chains([row.workspaceId]);
    const namespace = mapNamespace(row, chains.get(row.workspaceId) ?? { ids: [], parentOfLast: null });
    const write = toPluginWrite(row);
    if (write === undefined) return undefined;
    const copy = await findCopy(target, namespace.name, write.memory);
    const isThere = typeof copy === 'object' && copy.memory.content === write.memory.content;
    return isThere || copy === 'among-equals' ? mark : undefined;
  } catch (error) {
    if (error instanceof RowFault) return undefined;
    throw error;
  }
}
