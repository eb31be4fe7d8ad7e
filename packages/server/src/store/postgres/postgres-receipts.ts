import type { Counts } from '../../ports/erasure.js';
import type { Receipt, Receipts } from '../../ports/receipts.js';
import type { TransactionScope } from '../database.js';
import { takeLocks } from '../locks.js';
import type { Statements } from '../statements.js';

interface Row {
  id: string;
  user_id: string;
  started_at: Date;
  finished_at: Date | null;
  counts: Counts;
  hash: string | null;
}

const columns = 'id, user_id, started_at, finished_at, counts, hash';

export function postgresReceipts(statements: Statements, { tenantId, since }: TransactionScope): Receipts {
  return {
    async get(id) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.receipts WHERE tenant_id = $1 AND id = $2`,
        [tenantId, id],
      );
      return rows[0] && fromRow(rows[0]);
    },

    async erasedSince(moment) {
      const rows = await statements.query<{ user_id: string }>(
        'SELECT DISTINCT user_id FROM memhall.receipts WHERE tenant_id = $1 AND started_at > $2',
        [tenantId, moment],
      );
      return rows.map(({ user_id }) => (user_id === '' ? null : user_id));
    },

    async unfinished() {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.receipts
         WHERE tenant_id = $1 AND user_id = '' AND effective_at = 'infinity' FOR UPDATE`,
        [tenantId],
      );
      return rows[0] && fromRow(rows[0]);
    },

    put({ id, userId, startedAt, finishedAt, counts, hash }) {
      statements.enqueue(
        `INSERT INTO memhall.receipts (tenant_id, ${columns}, effective_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, ${finishedAt === null ? `'infinity'` : 'clock_timestamp()'})
         ON CONFLICT (tenant_id, id) DO UPDATE SET finished_at = excluded.finished_at, counts = excluded.counts,
           hash = excluded.hash, effective_at = excluded.effective_at`,
        [tenantId, id, userId ?? '', startedAt, finishedAt, JSON.stringify(counts), hash],
      );
    },

    refuseIfErased(peer) {
      takeLocks(statements, 'notesAbout', [`${tenantId}\n${peer}`], { isShared: true });
      const arrival = statements.toServerTime(since);
      const [ms, beforeBeginMs] = 'ms' in arrival ? [arrival.ms, null] : [null, arrival.beforeBeginMs];
      statements.enqueue(
        'SELECT memhall.write_about($1, $2, coalesce($3, extract(epoch FROM now())::float8 * 1000 - $4::float8))',
        [tenantId, peer, ms, beforeBeginMs],
      );
    },

    async latestOfPeer(peer, moment) {
      const rows = await statements.query<{ id: string }>(
        `SELECT id FROM memhall.receipts
         WHERE tenant_id = $1 AND memhall.peer_key(user_id) = $2 AND effective_at >= $3 AND (user_id = $2 OR NOT EXISTS
           (SELECT 1 FROM memhall.audit_heads AS h WHERE h.tenant_id = $1 AND h.user_id = $2))
         ORDER BY effective_at DESC LIMIT 1`,
        [tenantId, peer, moment],
      );
      return rows[0]?.id;
    },

    record(record) {
      statements.enqueue(`SELECT memhall.append_audit($1, '', $2)`, [tenantId, [record]]);
    },
  };
}

function fromRow({ id, user_id, started_at, finished_at, counts, hash }: Row): Receipt {
  return {
    id,
    userId: user_id === '' ? null : user_id,
    startedAt: started_at,
    finishedAt: finished_at,
    counts,
    hash,
  };
}
