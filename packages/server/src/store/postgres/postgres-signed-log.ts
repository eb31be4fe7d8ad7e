import type { SignedHead } from '@memhall/core';
import type { LeafWithNodes, LogLeaf, SignedLog } from '../../ports/signed-log.js';
import type { TransactionScope } from '../database.js';
import { takeLocks } from '../locks.js';
import type { Statements } from '../statements.js';

interface HeadRow {
  log_id: string;
  size: string;
  root: string;
  at: string;
  key: string;
  signature: string;
}

interface LeafRow {
  position: string;
  chain_id: string;
  seq: string;
  hash: Buffer;
}

const selectHeads =
  'SELECT log_id, size, root, at, key, signature FROM memhall.audit_log_heads WHERE tenant_id = $1 AND log_id = $2';

export function postgresSignedLog(statements: Statements, { tenantId }: TransactionScope): SignedLog {
  const heads = async (text: string, values: unknown[]): Promise<SignedHead[]> => {
    const rows = await statements.query<HeadRow>(text, [tenantId, ...values]);
    return rows.map((row) => toHead(tenantId, row));
  };
  return {
    lock() {
      takeLocks(statements, 'signing', [tenantId]);
    },

    async logs() {
      const rows = await statements.query<{ log_id: string; is_open: boolean; size: string }>(
        `SELECT log_id, is_open, coalesce((SELECT max(position) + 1 FROM memhall.audit_log_leaves AS l
             WHERE l.tenant_id = $1 AND l.log_id = g.log_id), 0) AS size
         FROM memhall.audit_logs AS g WHERE tenant_id = $1 ORDER BY created_at, log_id`,
        [tenantId],
      );
      return rows.map(({ log_id, is_open, size }) => ({ logId: log_id, isOpen: is_open, size: Number(size) }));
    },

    open(logId, now) {
      statements.enqueue('UPDATE memhall.audit_logs SET is_open = false WHERE tenant_id = $1 AND is_open', [tenantId]);
      statements.enqueue(
        'INSERT INTO memhall.audit_logs (tenant_id, log_id, created_at, is_open) VALUES ($1, $2, $3, true)',
        [tenantId, logId, now],
      );
    },

    async unlogged(logId, limit) {
      const rows = await statements.query<Omit<LeafRow, 'chain_id'> & { user_id: string; chain_id: string | null }>(
        `SELECT h.user_id, h.chain_id, r.seq, r.hash FROM (
           SELECT h.user_id, c.chain_id, coalesce(c.seq, 0) AS after FROM memhall.audit_heads AS h
           LEFT JOIN memhall.audit_log_chains AS c ON (c.tenant_id, c.user_id, c.log_id) = ($1, h.user_id, $2)
           WHERE h.tenant_id = $1 AND h.seq > coalesce(c.seq, 0) ORDER BY h.user_id LIMIT $3) AS h
         CROSS JOIN LATERAL (
           SELECT seq, hash FROM memhall.audit_records
           WHERE tenant_id = $1 AND user_id = h.user_id AND seq > h.after ORDER BY seq LIMIT $3) AS r
         ORDER BY h.user_id, r.seq LIMIT $3`,
        [tenantId, logId, limit],
      );
      return rows.map((row) => ({
        userId: row.user_id,
        chainId: row.chain_id,
        seq: Number(row.seq),
        hash: row.hash,
      }));
    },

    append(logId, leaves, now) {
      const chains = new Map(leaves.map(({ userId, chainId, seq }) => [userId, { chainId, seq }]));
      statements.enqueue(
        `INSERT INTO memhall.audit_log_leaves (tenant_id, log_id, position, chain_id, seq, hash, nodes)
         SELECT $1, $2, * FROM unnest($3::bigint[], $4::text[], $5::bigint[], $6::bytea[], $7::bytea[])`,
        [
          tenantId,
          logId,
          leaves.map(({ position }) => position),
          leaves.map(({ chainId }) => chainId),
          leaves.map(({ seq }) => seq),
          leaves.map(({ hash }) => hash),
          leaves.map(({ nodes }) => nodes),
        ],
      );
      statements.enqueue(
        `INSERT INTO memhall.audit_log_chains (tenant_id, log_id, created_at, user_id, chain_id, seq)
         SELECT $1, $2, $3, * FROM unnest($4::text[], $5::text[], $6::bigint[])
         ON CONFLICT (tenant_id, user_id, log_id) DO UPDATE SET seq = excluded.seq`,
        [
          tenantId,
          logId,
          now,
          [...chains.keys()],
          [...chains.values()].map(({ chainId }) => chainId),
          [...chains.values()].map(({ seq }) => seq),
        ],
      );
    },

    addHead({ log, size, root, at, key, signature }) {
      statements.enqueue(
        `INSERT INTO memhall.audit_log_heads (tenant_id, log_id, size, root, at, key, signature)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [tenantId, log, size, root, at, key, signature],
      );
    },

    latestHead: async (logId) => (await heads(`${selectHeads} ORDER BY size DESC LIMIT 1`, [logId]))[0],

    headCovering: async (logId, size) =>
      (await heads(`${selectHeads} AND size >= $3 ORDER BY size LIMIT 1`, [logId, size]))[0],

    heads: (logId, { after, limit }) =>
      heads(`${selectHeads} AND size > $3 ORDER BY size LIMIT $4`, [logId, after, limit]),

    async leavesAt(logId, positions) {
      const rows = await statements.query<LeafRow & { nodes: Buffer }>(
        `SELECT position, chain_id, seq, hash, nodes FROM memhall.audit_log_leaves
         WHERE tenant_id = $1 AND log_id = $2 AND position = ANY ($3::bigint[])`,
        [tenantId, logId, [...positions]],
      );
      return rows.map((row): LeafWithNodes => ({ ...toLeaf(row), nodes: row.nodes }));
    },

    async compare(logId, { from, limit }) {
      const rows = await statements.query<LeafRow & { user_id: string | null; present: Buffer | null }>(
        // Subqueries instead of joins, and an order: without statistics, each leaf might be compared with all records.
        `SELECT position, chain_id, seq, hash, user_id, (SELECT CASE WHEN r.seq = page.seq THEN r.hash END
             FROM memhall.audit_records AS r WHERE r.tenant_id = $1 AND r.user_id = page.user_id AND r.seq >= page.seq
             ORDER BY r.seq LIMIT 1) AS present
         FROM (SELECT position, chain_id, seq, hash, (SELECT c.user_id FROM memhall.audit_log_chains AS c
                   WHERE (c.tenant_id, c.log_id, c.chain_id) = ($1, $2, l.chain_id)) AS user_id
               FROM memhall.audit_log_leaves AS l WHERE tenant_id = $1 AND log_id = $2 AND position >= $3
               ORDER BY position LIMIT $4) AS page ORDER BY position`,
        [tenantId, logId, from, limit],
      );
      return rows.map((row) => ({ ...toLeaf(row), userId: row.user_id, presentHash: row.present }));
    },

    async leafOf(logId, userId, seq) {
      const rows = await statements.query<LeafRow>(
        `SELECT l.position, l.chain_id, l.seq, l.hash FROM memhall.audit_log_chains AS c
         JOIN memhall.audit_log_leaves AS l ON (l.tenant_id, l.log_id, l.chain_id, l.seq) = ($1, $2, c.chain_id, $4)
         WHERE (c.tenant_id, c.log_id, c.user_id) = ($1, $2, $3)`,
        [tenantId, logId, userId, seq],
      );
      return rows[0] && toLeaf(rows[0]);
    },

    async chainsOf(userId) {
      const rows = await statements.query<{ log_id: string; chain_id: string }>(
        'SELECT log_id, chain_id FROM memhall.audit_log_chains WHERE tenant_id = $1 AND user_id = $2 ORDER BY log_id',
        [tenantId, userId],
      );
      return rows.map(({ log_id, chain_id }) => ({ logId: log_id, chainId: chain_id }));
    },

    async removals(userId) {
      // "0" follows "/": this selects the targets that begin with "receipts/", by the index.
      const targets = userId === '' ? `target >= 'receipts/' AND target < 'receipts0'` : `target = 'retention'`;
      const rows = await statements.query<{ record: string }>(
        `SELECT record FROM memhall.audit_records
         WHERE tenant_id = $1 AND user_id = $2 AND ${targets} AND record LIKE '%"signed_removals"%' ORDER BY seq`,
        [tenantId, userId],
      );
      return rows.map(({ record }) => record);
    },

    waitingHeads: (limit) =>
      heads(
        `SELECT log_id, size, root, at, key, signature FROM memhall.audit_log_heads
         WHERE tenant_id = $1 AND witnessed_at IS NULL
           AND log_id = (SELECT log_id FROM memhall.audit_logs WHERE tenant_id = $1 AND is_open) ORDER BY size LIMIT $2`,
        [limit],
      ),

    confirm({ log, size }, now) {
      statements.enqueue(
        'UPDATE memhall.audit_log_heads SET witnessed_at = $4 WHERE tenant_id = $1 AND log_id = $2 AND size = $3',
        [tenantId, log, size, now],
      );
    },
  };
}

function toHead(tenant: string, { log_id, size, ...rest }: HeadRow): SignedHead {
  const { root, at, key, signature } = rest;
  return { tenant, log: log_id, size: Number(size), root, at, key, signature };
}

function toLeaf({ position, chain_id, seq, hash }: LeafRow): LogLeaf {
  return { position: Number(position), chainId: chain_id, seq: Number(seq), hash };
}
