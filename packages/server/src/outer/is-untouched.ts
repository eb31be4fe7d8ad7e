import type { ArtifactOwner, ArtifactStore } from '../ports/artifact-store.js';

/** Returns whether the outer store has no audit records of a user. Then nothing in it can contradict the database. */
export async function isUntouched(blobs: ArtifactStore, owner: ArtifactOwner): Promise<boolean> {
  for await (const _copy of blobs.list(owner, 'audit')) return false;
  return true;
}
