import type { ArtifactOwner, StoredKey, StoredKind } from '../../ports/artifact-store.js';
import type { OuterArtifacts } from './outer-artifacts.js';

/** The journal first: it holds the last change whole, and would bring it back. */
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
 * Removes all that the outer store has of a user, or of the tenant (''), and answers how many that was. The last step before
 * COMMIT of a transaction that removes it from the database: if that fails, what is gone here stays gone, and the erasure
 * has to be repeated. The other way round, what is left here would come back.
 */
export async function eraseOuter(outer: OuterArtifacts, owner: ArtifactOwner): Promise<number> {
  const keys = await listOuter(outer, owner);
  for (const key of keys) await outer.store.delete(owner, key);
  outer.forget(owner);
  return keys.length;
}

export async function listOuter({ store }: OuterArtifacts, owner: ArtifactOwner): Promise<StoredKey[]> {
  const keys: StoredKey[] = [];
  for (const kind of kinds) {
    for await (const { folder, name } of store.list(owner, kind)) keys.push({ kind, folder, name });
  }
  return keys;
}

export async function outerUsers({ store }: OuterArtifacts, tenantId: string): Promise<string[]> {
  const users: string[] = [];
  for await (const userId of store.users(tenantId)) users.push(userId);
  return users;
}
