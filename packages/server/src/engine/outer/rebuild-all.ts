import type { ArtifactOwner } from '../../ports/artifact-store.js';
import type { Engine } from '../engine.js';
import type { OuterArtifacts } from './outer-artifacts.js';
import { rebuildUser } from './rebuild-user.js';
import { copyRegistry, restoreRegistry } from './registry-copy.js';

/**
 * Makes the database hold what the outer store holds, for every user or those of one tenant, beside readers and writers.
 * What the outer store never had is brought there. Answers how many users there were.
 */
export async function rebuildAll(engine: Engine, outer: OuterArtifacts, tenantId?: string): Promise<number> {
  let users = 0;
  for (const tenant of await tenantsOf(engine, outer.store.tenants(), tenantId)) {
    await restoreRegistry(engine, outer, tenant);
    for (const owner of await ownersOf(engine, outer.store.users(tenant), tenant)) {
      await rebuildUser(engine, outer, owner);
      if (owner.userId !== '') users++;
    }
    await copyRegistry(engine, outer, tenant);
  }
  if (tenantId === undefined) await engine.store.setArtifactOrigin(await outer.store.identity());
  return users;
}

async function tenantsOf(
  engine: Engine,
  stored: AsyncIterable<string>,
  only: string | undefined,
): Promise<Set<string>> {
  if (only !== undefined) return new Set([only]);
  const tenants = new Set((await engine.store.auditHeads()).map(({ tenantId }) => tenantId));
  for await (const tenantId of stored) tenants.add(tenantId);
  return tenants;
}

async function ownersOf(engine: Engine, stored: AsyncIterable<string>, tenantId: string): Promise<ArtifactOwner[]> {
  const users = new Set((await engine.store.auditHeads(tenantId)).map(({ userId }) => userId));
  for await (const userId of stored) users.add(userId);
  return [...users].map((userId) => ({ tenantId, userId }));
}
