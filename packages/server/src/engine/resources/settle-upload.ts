import type { ArtifactOwner } from '../../ports/artifact-store.js';
import type { Engine } from '../engine.js';
import { inTransaction } from '../outer/in-transaction.js';
import { removeOut } from './resource-file.js';

/** Name of the job that settles uploads. */
export const settleUploadJobName = 'settle-upload';

/** No upload takes that long. */
const settleAfterMs = 3_600_000;

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
  const startAfter = new Date(clock.now().getTime() + settleAfterMs);
  await queue.enqueue(settleUploadJobName, { tenantId, userId, resourceId }, { startAfter });
}

/** Removes what an upload left in the outer store that never became a resource. Answers whether it never did. */
export async function settleUpload(engine: Engine, { tenantId, userId, resourceId }: UploadRef): Promise<boolean> {
  const { outer } = engine;
  if (outer === null) return false;
  const owner = { tenantId, userId };
  return inTransaction(engine, owner, async (tables) => {
    if ((await tables.resources.get(resourceId)) !== undefined) return false;
    await removeOut(outer, owner, resourceId);
    return true;
  });
}
