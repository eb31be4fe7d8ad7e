import type { ArtifactOwner } from '../../ports/artifact-store.js';
import { maintain } from '../audit/maintain.js';
import type { Engine } from '../engine.js';

/** Name of the job as it is stored in the queue. */
export const cleanUpUploadJobName = 'settle-upload';

/** No upload takes this long. */
const cleanUpAfterMs = 3_600_000;

interface UploadRef {
  tenantId: string;
  userId: string;
  resourceId: string;
}

/** Schedules the clean-up of an upload. Call it before sending bytes, so that they are removed even if this process dies. */
export async function scheduleCleanUp(
  { queue, clock, resourceFiles }: Engine,
  { tenantId, userId }: ArtifactOwner,
  resourceId: string,
): Promise<void> {
  if (!resourceFiles.leavesRemains) return;
  const startAfter = new Date(clock.now().getTime() + cleanUpAfterMs);
  await queue.enqueue(cleanUpUploadJobName, { tenantId, userId, resourceId }, { startAfter });
}

/** Removes the bytes of an upload that never became a resource. Returns whether that was the case. */
export async function cleanUpUpload(engine: Engine, { tenantId, userId, resourceId }: UploadRef): Promise<boolean> {
  const { resourceFiles } = engine;
  if (!resourceFiles.leavesRemains) return false;
  const owner = { tenantId, userId };
  return maintain(engine, owner, async (tables) => {
    if ((await tables.resources.get(resourceId)) !== undefined) return false;
    await resourceFiles.remove(owner, resourceId);
    return true;
  });
}
