import type { SigningState } from '../../ports/signed-log.js';
import type { Statements } from '../statements.js';

/** Chains of all tenants that are ahead of their open log, by how many records. */
const unlogged = `SELECT h.tenant_id, h.seq - greatest(c.seq, x.seq, 0) AS records
  FROM memhall.audit_heads AS h
  LEFT JOIN memhall.audit_logs AS g ON g.tenant_id = h.tenant_id AND g.is_open
  LEFT JOIN memhall.audit_log_chains AS c ON (c.tenant_id, c.user_id, c.log_id) = (h.tenant_id, h.user_id, g.log_id)
  LEFT JOIN memhall.audit_cuts AS x ON (x.tenant_id, x.user_id) = (h.tenant_id, h.user_id)
  WHERE h.seq > coalesce(c.seq, 0)`;

export async function readUnsignedTenants(
  statements: Statements,
): Promise<{ tenantId: string; signedAt: Date | null }[]> {
  const rows = await statements.query<{ tenant_id: string; signed_at: string | null }>(
    `SELECT tenant_id, (SELECT d.at FROM memhall.audit_logs AS g
         JOIN memhall.audit_log_heads AS d ON (d.tenant_id, d.log_id) = (g.tenant_id, g.log_id)
         WHERE g.tenant_id = u.tenant_id AND g.is_open ORDER BY d.size DESC LIMIT 1) AS signed_at
     FROM (SELECT DISTINCT tenant_id FROM (${unlogged}) AS ahead) AS u ORDER BY tenant_id`,
  );
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    signedAt: row.signed_at === null ? null : new Date(row.signed_at),
  }));
}

/** Heads of open logs that the witness has not confirmed. */
const waiting = `memhall.audit_log_heads AS d
  JOIN memhall.audit_logs AS g ON (g.tenant_id, g.log_id) = (d.tenant_id, d.log_id) AND g.is_open
  WHERE d.witnessed_at IS NULL`;

export async function readWaitingTenants(statements: Statements): Promise<string[]> {
  const rows = await statements.query<{ tenant_id: string }>(
    `SELECT DISTINCT d.tenant_id FROM ${waiting} ORDER BY d.tenant_id`,
  );
  return rows.map(({ tenant_id }) => tenant_id);
}

export async function readSigningState(statements: Statements): Promise<SigningState> {
  const [row] = await statements.query<{ records: string; heads: string; since: string | null }>(
    `SELECT (SELECT coalesce(sum(records), 0) FROM (${unlogged}) AS ahead) AS records, count(*) AS heads, min(d.at) AS since
     FROM ${waiting}`,
  );
  return {
    unsignedRecords: Number(row?.records ?? 0),
    waitingHeads: Number(row?.heads ?? 0),
    waitingSince: row?.since == null ? null : new Date(row.since),
  };
}
