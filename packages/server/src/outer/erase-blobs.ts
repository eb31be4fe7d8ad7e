import type { ArtifactOwner, ArtifactStore, StoredKey, StoredKind } from '../ports/artifact-store.js';

/** The journal comes first: it holds the last change and would bring it back. */
const kinds: readonly StoredKind[] = [
  'journal',
  'document',
  'event',
  'snapshot',
  'quarantine',
  'resource',
  'file',
  'audit',
  'registry',
];

/**
 * Removes everything that the outer store has of a user, or of the tenant (''), and returns how many blobs that were. Call
 * it in the transaction that removes the rows, after the rows. If that transaction fails, the blobs stay gone and the erasure
 * has to be repeated. In the other order, blobs that were left would bring the rows back.
 */
export async function eraseBlobs(blobs: ArtifactStore, owner: ArtifactOwner): Promise<number> {
  const keys = await listBlobs(blobs, owner);
  for (const key of keys) await blobs.delete(owner, key);
  return keys.length;
}

export async function listBlobs(blobs: ArtifactStore, owner: ArtifactOwner): Promise<StoredKey[]> {
  const keys: StoredKey[] = [];
  for (const kind of kinds) {
    for await (const { folder, name } of blobs.list(owner, kind)) keys.push({ kind, folder, name });
  }
  return keys;
}

export async function usersWithBlobs(blobs: ArtifactStore, tenantId: string): Promise<string[]> {
  const users: string[] = [];
  for await (const userId of blobs.users(tenantId)) if (userId !== '') users.push(userId);
  return users;
}
