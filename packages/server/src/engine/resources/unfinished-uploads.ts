import type { ArtifactOwner } from '../../ports/artifact-store.js';
import type { Engine } from '../engine.js';
import { inTransaction } from '../outer/in-transaction.js';
import { removeOut } from './resource-file.js';

/** Name of the job that runs `removeUnfinishedUpload`. It is stored in the queue. */
export const unfinishedUploadJobName = 'settle-upload';

/** No upload takes that long. */
const longestUploadMs = 3_600_000;

export interface UploadRef {
  tenantId: string;
  userId: string;
  resourceId: string;
}

/** To be called before bytes are sent to the outer store: whatever becomes of this process, none stay there without a resource. */
export async function noteUpload(
  { queue, clock, outer }: Engine,
  { tenantId, userId }: ArtifactOwner,
  resourceId: string,
): Promise<void> {
  if (outer === null) return;
  const startAfter = new Date(clock.now().getTime() + longestUploadMs);
  await queue.enqueue(unfinishedUploadJobName, { tenantId, userId, resourceId }, { startAfter });
}

/** Removes the files in the outer store of an upload that never became a resource. Returns false if it became one. */
export async function removeUnfinishedUpload(
  engine: Engine,
  { tenantId, userId, resourceId }: UploadRef,
): Promise<boolean> {
  const { outer } = engine;
  if (outer === null) return false;
  const owner = { tenantId, userId };
  return inTransaction(engine, owner, async (tables) => {
    if ((await tables.resources.get(resourceId)) !== undefined) return false;
    await removeOut(outer, owner, resourceId);
    return true;
  });
}
