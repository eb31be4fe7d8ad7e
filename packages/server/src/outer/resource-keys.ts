import type { ArtifactOwner, ArtifactStore, StoredKey } from '../ports/artifact-store.js';

/** Key of the description of a resource. It says that the file is there. */
export function descriptionKey(resourceId: string): StoredKey {
  return { kind: 'resource', folder: '', name: resourceId };
}

/** Removes a resource from the outer store: its description, then its file. Does nothing if it is not there. */
export async function removeResourceBlobs(
  blobs: ArtifactStore,
  owner: ArtifactOwner,
  resourceId: string,
): Promise<void> {
  await blobs.delete(owner, descriptionKey(resourceId));
  await blobs.delete(owner, { kind: 'file', folder: '', name: resourceId });
}
