import { Problem } from '@memhall/core';
import { checkRows, given, nameOf, type Restoring, restoreRows, toJsonArray } from './restore-rows.js';

const genesis = Buffer.alloc(32);

/** The place where a stored chain begins can no longer change. */
export async function restoreCuts(restoring: Restoring): Promise<number> {
  const { query, tenantId, records } = restoring;
  const userId = records[0]?.userId;
  const [uncut] = await query(
    `SELECT 1 FROM memhall.audit_heads LEFT JOIN memhall.audit_cuts AS c USING (tenant_id, user_id)
     WHERE tenant_id = $1 AND user_id = $2 AND c.seq IS NULL`,
    [tenantId, userId],
  );
  if (uncut !== undefined) {
    throw new Problem(
      'CONFLICT',
      `The audit chain user_id=${userId} already exists with its beginning, which the archive lacks.`,
    );
  }
  return restoreRows(restoring);
}

/**
 * A chain starts empty, or where it was cut, regardless of the archived head: the head advances as records are
 * restored.
 */
export async function restoreHeads({ query, tenantId, records }: Restoring): Promise<number> {
  const added = await query(
    `INSERT INTO memhall.audit_heads (tenant_id, user_id, seq, hash)
     SELECT $1, given.user_id, coalesce(c.seq, 0), coalesce(c.hash, $3) FROM unnest($2::text[]) AS given (user_id)
     LEFT JOIN memhall.audit_cuts AS c ON c.tenant_id = $1 AND c.user_id = given.user_id
     ON CONFLICT DO NOTHING RETURNING 1`,
    [tenantId, records.map(({ userId }) => userId), genesis],
  );
  return added.length;
}

/**
 * Appends records after the end of the stored chain and advances its head, so that the chain is valid after every
 * transaction. Records up to that end must be equal to the stored ones.
 */
export async function restoreAuditRecords(restoring: Restoring): Promise<number> {
  const { query, tenantId, table, records } = restoring;
  const userId = records[0]?.userId;
  const stored = await query<{ seq: string }>(
    'SELECT seq FROM memhall.audit_heads WHERE tenant_id = $1 AND user_id = $2 FOR UPDATE',
    [tenantId, userId],
  );
  const end = Number(stored[0]?.seq ?? 0);
  const missing = records.filter(({ row }) => Number(row.seq) > end);
  const [next] = missing;
  if (next !== undefined) {
    if (Number(next.row.seq) !== end + 1) {
      throw new Problem('CONFLICT', `${nameOf(table, next)} is out of sequence: the stored chain ends at ${end}.`);
    }
    await query(
      `INSERT INTO memhall.audit_records (tenant_id, user_id, seq, record, hash)
       SELECT $1, r.user_id, r.seq, r.record, r.hash FROM ${given(table)}`,
      [tenantId, toJsonArray(missing)],
    );
    await query(
      `UPDATE memhall.audit_heads AS h SET seq = r.seq, hash = r.hash
       FROM memhall.audit_records AS r WHERE (r.tenant_id, r.user_id, r.seq) = ($1, $2, $3::bigint)
         AND (h.tenant_id, h.user_id) = ($1, $2)`,
      [tenantId, userId, missing.at(-1)?.row.seq],
    );
  }
  await checkRows(restoring);
  return missing.length;
}
