import type { ChainedRecord } from '../../ports/audit-log.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';

interface AuditQuery {
  target?: string | undefined;
  operation?: string | undefined;
  author?: string | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Lists the user's audit records, newest first. */
export async function listAudit(engine: Engine, caller: Caller, query: AuditQuery): Promise<Page<ChainedRecord>> {
  const before = query.cursor === undefined ? undefined : BigInt(decodeCursor(query.cursor, 1, /^\d{1,18}$/)[0] ?? '');
  const { target, operation, author } = query;
  const filter = { target, operation, author, from: query.from?.toISOString(), to: query.to?.toISOString() };
  const rows = await engine.store.read(scopeOf(caller), (tables) =>
    tables.audit.list(filter, { before, limit: query.limit + 1 }),
  );
  return toPage(rows, query.limit, ({ seq }) => [seq.toString()]);
}
