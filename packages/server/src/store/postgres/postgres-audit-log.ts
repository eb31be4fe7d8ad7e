import type { AuditFilter, AuditHead, AuditLog, ChainedRecord } from '../../ports/audit-log.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  seq: string;
  record: string;
  hash: Buffer;
}

const ownChain = 'SELECT seq, record, hash FROM memhall.audit_records WHERE tenant_id = $1 AND user_id = $2';

const recordAuthor = `coalesce(record::json -> 'actor' ->> 'user_id', record::json -> 'actor' ->> 'service_id')`;

const append = `SELECT memhall.append_audit($1, $2, $3, coalesce($4, extract(epoch FROM now())::float8 * 1000 - $5::float8))`;

export function postgresAuditLog(statements: Statements, { tenantId, userId, since }: TransactionScope): AuditLog {
  return {
    append(records) {
      const arrival = statements.toServerTime(since);
      const [ms, beforeBeginMs] = 'ms' in arrival ? [arrival.ms, null] : [null, arrival.beforeBeginMs];
      statements.enqueue(append, [tenantId, userId, records, ms, beforeBeginMs]);
    },

    async records(chainUserId, { after, limit }) {
      const rows = await statements.query<Row>(`${ownChain} AND seq > $3 ORDER BY seq LIMIT $4`, [
        tenantId,
        chainUserId,
        after.toString(),
        limit,
      ]);
      return rows.map(fromRow);
    },

    async list(filter, { before, limit }) {
      const values: unknown[] = [tenantId, userId];
      const conditions = toConditions(filter, before, values);
      const rows = await statements.query<Row>(
        `${ownChain}${conditions} ORDER BY seq DESC LIMIT $${values.push(limit)}`,
        values,
      );
      return rows.map(fromRow);
    },

    async versions(target, { after, upTo, limit }) {
      const rows = await statements.query<Row>(
        `${ownChain} AND target = $3 AND version > $4 AND version <= $5 ORDER BY version LIMIT $6`,
        [tenantId, userId, target, after, upTo, limit],
      );
      return rows.map(fromRow);
    },

    async versionsBefore(target, { before, limit }) {
      const rows = await statements.query<Row>(
        `${ownChain} AND target = $3 AND version < $4 ORDER BY version DESC LIMIT $5`,
        [tenantId, userId, target, before ?? Number.MAX_SAFE_INTEGER, limit],
      );
      return rows.map(fromRow);
    },

    async versionsCiting(conversationId, limit) {
      const rows = await statements.query<Row>(
        `${ownChain} AND version IS NOT NULL AND record::json -> 'evidence' ->> 'conversation_id' = $3
         ORDER BY seq DESC LIMIT $4`,
        [tenantId, userId, conversationId, limit],
      );
      return rows.map(fromRow);
    },

    async ofTarget({ target, in: recordedIn, limit }) {
      const [condition, value] =
        'chainOf' in recordedIn
          ? ['user_id = $3', recordedIn.chainOf]
          : [`record::json ->> 'namespace' = $3`, recordedIn.namespace];
      const rows = await statements.query<Row>(
        `SELECT seq, record, hash FROM memhall.audit_records WHERE tenant_id = $1 AND target = $2 AND ${condition}
         ORDER BY at DESC, seq DESC LIMIT $4`,
        [tenantId, target, value, limit],
      );
      return rows.map(fromRow);
    },

    async owners({ after, prefix, limit }) {
      const rows = await statements.query<{ user_id: string; seq: string; at: string | null }>(
        `SELECT h.user_id, h.seq, r.at FROM memhall.audit_heads AS h
         LEFT JOIN memhall.audit_records AS r ON (r.tenant_id, r.user_id, r.seq) = (h.tenant_id, h.user_id, h.seq)
         WHERE h.tenant_id = $1 AND h.user_id > $2 AND starts_with(h.user_id, $3) ORDER BY h.user_id LIMIT $4`,
        [tenantId, after, prefix, limit],
      );
      return rows.map((row) => ({
        userId: row.user_id,
        changes: Number(row.seq),
        lastAt: row.at === null ? null : new Date(row.at),
      }));
    },

    async head(chainUserId) {
      const [row] = await statements.query<HeadRow>(
        `${selectHeads} WHERE audit_heads.tenant_id = $1 AND audit_heads.user_id = $2`,
        [tenantId, chainUserId],
      );
      return row && fromHeadRow(row);
    },
  };
}

export interface HeadRow {
  tenant_id: string;
  user_id: string;
  seq: string;
  hash: Buffer;
  cut_seq: string | null;
  cut_hash: Buffer | null;
}

export const selectHeads = `SELECT tenant_id, user_id, audit_heads.seq, audit_heads.hash, audit_cuts.seq AS cut_seq,
    audit_cuts.hash AS cut_hash
  FROM memhall.audit_heads LEFT JOIN memhall.audit_cuts USING (tenant_id, user_id)`;

export function fromHeadRow({ tenant_id, user_id, seq, hash, cut_seq, cut_hash }: HeadRow): AuditHead {
  const cut = cut_seq === null || cut_hash === null ? null : { seq: BigInt(cut_seq), hash: cut_hash };
  return { tenantId: tenant_id, userId: user_id, seq: BigInt(seq), hash, cut };
}

/** Returns conditions with a leading AND each; adds their values to `values`. */
function toConditions(filter: AuditFilter, before: bigint | undefined, values: unknown[]): string {
  const { target, operation, author, from, to } = filter;
  const next = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    ...(target === undefined ? [] : [`target = ${next(target)}`]),
    ...(operation === undefined ? [] : [`record::json ->> 'operation' = ${next(operation)}`]),
    ...(author === undefined ? [] : [`${recordAuthor} = ${next(author)}`]),
    ...(from === undefined ? [] : [`at >= ${next(from)}`]),
    ...(to === undefined ? [] : [`at < ${next(to)}`]),
    ...(before === undefined ? [] : [`seq < ${next(before.toString())}`]),
  ];
  return conditions.map((condition) => ` AND ${condition}`).join('');
}

function fromRow({ seq, record, hash }: Row): ChainedRecord {
  return { seq: BigInt(seq), record, hash };
}
