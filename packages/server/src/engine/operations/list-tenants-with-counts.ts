import type { Engine } from '../engine.js';
import { formBacklog } from '../memories/refresh-forms.js';
import { decodeCursor, type Page, toPage } from '../page.js';

export interface TenantCounts {
  tenantId: string;
  /** Users, and workspaces that agents share, that ever had something changed. */
  owners: number;
  /** Audit records. */
  changes: number;
  memories: number;
  /** Memories that wait for a vector of the current embedder, or for their word forms. */
  waiting: number;
}

/** Returns every tenant that ever wrote anything, in order, with how much it has. No content is read. */
export async function listTenantsWithCounts(
  engine: Engine,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<TenantCounts>> {
  const after = cursor === undefined ? '' : (decodeCursor(cursor, 1)[0] ?? '');
  const rows = await engine.store.tenantHeads({ after, limit: limit + 1 });
  const { items, nextCursor } = toPage(rows, limit, ({ tenantId }) => [tenantId]);
  const counted: TenantCounts[] = [];
  // One after the other: an overview must not take all connections.
  for (const row of items) {
    const { count: waiting } = await formBacklog(engine, row.tenantId);
    const memories = await engine.store.inspect(row.tenantId, (tables) => tables.memories.countAll());
    counted.push({ ...row, memories, waiting });
  }
  return { items: counted, nextCursor };
}
