import type { ArtifactOwner } from '../ports/artifact-store.js';
import type { Outer } from './outer.js';
import { rebuildUser } from './rebuild-user.js';
import { copyRegistry, restoreRegistry } from './registry-copy.js';

/**
 * Rebuilds the database from the outer store, for every user or those of one tenant. Reads and writes may go on. Rows that
 * the outer store never had are copied to it. Returns the number of users.
 */
export async function rebuildAll(outer: Outer, tenantId?: string): Promise<number> {
  let users = 0;
  for (const tenant of await tenantsOf(outer, tenantId)) {
    await restoreRegistry(outer, tenant);
    for (const owner of await ownersOf(outer, tenant)) {
      await rebuildUser(outer, owner);
      if (owner.userId !== '') users++;
    }
    await copyRegistry(outer, tenant);
  }
  if (tenantId === undefined) await outer.database.setArtifactOrigin(await outer.blobs.identity());
  return users;
}

export async function tenantsOf({ database, blobs }: Outer, only: string | undefined): Promise<Set<string>> {
  if (only !== undefined) return new Set([only]);
  const tenants = new Set((await database.auditHeads()).map(({ tenantId }) => tenantId));
  for await (const tenantId of blobs.tenants()) tenants.add(tenantId);
  return tenants;
}

export async function ownersOf({ database, blobs }: Outer, tenantId: string): Promise<ArtifactOwner[]> {
  const users = new Set((await database.auditHeads(tenantId)).map(({ userId }) => userId));
  for await (const userId of blobs.users(tenantId)) users.add(userId);
  return [...users].map((userId) => ({ tenantId, userId }));
}
