import type { ChainOwner } from '../../ports/audit-log.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';

/** Lists who ever had something changed in a tenant, in order: also those whose data was erased since, whose audit chain remains. */
export async function listOwners(
  engine: Pick<Engine, 'store'>,
  tenantId: string,
  { limit, cursor, prefix = '' }: { limit: number; cursor?: string | undefined; prefix?: string | undefined },
): Promise<Page<ChainOwner>> {
  const after = cursor === undefined ? '' : (decodeCursor(cursor, 1)[0] ?? '');
  const rows = await engine.store.inspect(tenantId, (tables) =>
    tables.audit.owners({ after, prefix, limit: limit + 1 }),
  );
  return toPage(rows, limit, ({ userId }) => [userId]);
}
