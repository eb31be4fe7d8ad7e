import type { BackfillMark, BackfillProgress } from '../../ports/backfill-progress.js';
import type { LegacyFilter, LegacyMemories } from '../../ports/legacy-memories.js';
import { findCopy } from './find-copy.js';
import { mapNamespace, RowFault } from './map-namespace.js';
import type { PluginTarget } from './plugin-target.js';
import { toPluginWrite } from './to-plugin-write.js';

/**
 * Where an interrupted run is to go on; undefined: at the beginning. The note of it counts only while the last row it says
 * was copied is in the target as it is in the source: a target that was emptied since gets everything.
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
    return typeof copy === 'object' && copy.memory.content === write.memory.content ? mark : undefined;
  } catch (error) {
    if (error instanceof RowFault) return undefined;
    throw error;
  }
}
