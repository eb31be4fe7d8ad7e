import type { UnfollowedDocument } from '../../ports/artifacts.js';
import { maintain, maintainTenant } from '../audit/maintain.js';
import { scopeOf, systemCaller } from '../caller.js';
import type { Engine } from '../engine.js';
import { listTenants } from '../list-tenants.js';

const pageSize = 100;

/** Returns how many documents of a tenant wait for their watchers. */
export function documentBacklog(engine: Engine, tenantId: string): Promise<number> {
  return engine.store.inspect(tenantId, (tables) => tables.artifacts.countUnfollowed());
}

/** Returns the sum over all tenants. */
export async function totalDocumentBacklog(engine: Engine): Promise<number> {
  let total = 0;
  for (const tenantId of await listTenants(engine)) total += await documentBacklog(engine, tenantId);
  return total;
}

/**
 * Lets the watchers of documents catch up with those of a tenant that were stored without them. Each document is marked when it
 * is done, so an interrupted run is continued by the next one. Returns how many were done. If some fail, the others are still
 * done and the first error is thrown at the end.
 */
export async function catchUpDocuments(engine: Engine, tenantId: string, signal?: AbortSignal): Promise<number> {
  let done = 0;
  const failures: unknown[] = [];
  for (let after: UnfollowedDocument | undefined; ; ) {
    const page = await engine.store.inspect(tenantId, (tables) =>
      tables.artifacts.unfollowed({ after, limit: pageSize }),
    );
    for (const document of page) {
      signal?.throwIfAborted();
      try {
        await catchUp(engine, tenantId, document);
        done += 1;
      } catch (error) {
        failures.push(error);
      }
    }
    after = page.at(-1);
    if (page.length < pageSize) break;
  }
  if (failures.length > 0) throw failures[0];
  return done;
}

async function catchUp(
  engine: Engine,
  tenantId: string,
  { userId, folder, name, etag }: UnfollowedDocument,
): Promise<void> {
  const caller = systemCaller(tenantId, userId, 'documents.follow');
  for (const watcher of engine.documentWatchers) {
    await watcher.catchUp(engine, caller, { namespace: folder, path: name });
  }
  await maintain(engine, scopeOf(caller), async (tables) => {
    tables.artifacts.setFollowed({ kind: 'document', folder, name }, etag);
  });
}

/** Makes the watchers catch up with all documents of a tenant again, even those that they followed. */
export async function followAgain(engine: Engine, tenantId: string): Promise<number> {
  await maintainTenant(engine, tenantId, async (tables) => tables.artifacts.unfollow());
  return catchUpDocuments(engine, tenantId);
}
