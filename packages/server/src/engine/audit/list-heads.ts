import type { SignedHead } from '@memhall/core';
import type { Store } from '../../ports/store.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';

const pageSize = 1000;

/** Yields the signed heads of all logs of one tenant, or of every tenant: oldest log first, by size. */
export async function* listHeads(store: Store, tenantId?: string): AsyncGenerator<SignedHead> {
  for (const tenant of tenantId === undefined ? await store.loggedTenants() : [tenantId]) {
    const logs = await store.inspect(tenant, ({ signedLog }) => signedLog.logs());
    for (const { logId } of logs) yield* headsOf(store, tenant, logId);
  }
}

/** Yields the signed heads of one log, by size. */
export async function* headsOf(store: Store, tenantId: string, logId: string): AsyncGenerator<SignedHead> {
  for (let after = 0; ; ) {
    const range = { after, limit: pageSize };
    const page = await store.inspect(tenantId, ({ signedLog }) => signedLog.heads(logId, range));
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.size;
  }
}

/** Lists the signed heads of the tenant's open log, by size. */
export function listTenantHeads(
  { store }: Pick<Engine, 'store'>,
  tenantId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<SignedHead>> {
  const after = cursor === undefined ? 0 : Number(decodeCursor(cursor, 1, /^\d{1,15}$/)[0]);
  return store.inspect(tenantId, async ({ signedLog }) => {
    const log = (await signedLog.logs()).find(({ isOpen }) => isOpen);
    const heads = log === undefined ? [] : await signedLog.heads(log.logId, { after, limit: limit + 1 });
    return toPage(heads, limit, ({ size }) => [`${size}`]);
  });
}
