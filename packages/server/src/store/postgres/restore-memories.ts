import { type Restoring, restoreRows } from './restore-rows.js';

/** Values drawn per statement: short enough for any statement timeout. */
const drawnAtOnce = 500_000;
/** No database reaches this number: a greater one is a mistake, and drawing up to it would take days. */
const greatestSeq = 2 ** 40;

/**
 * Memories keep their arrival number but get new revisions, so that caches notice them. Both come from one sequence,
 * which is first drawn forward so that later memories arrive after the restored ones. Drawing is slower than setting
 * the sequence, but cannot set it back while others draw.
 */
export async function restoreMemories(restoring: Restoring): Promise<number> {
  const { query, tenantId, records } = restoring;
  const seqs = records.map(({ row }) => Number(row.seq ?? 0));
  const last = Math.max(0, ...seqs);
  if (!(last < greatestSeq)) throw new Error(`${last} is not a possible arrival number`);
  for (;;) {
    const [{ gap = '0' } = {}] = await query<{ gap: string }>(
      'SELECT $1::bigint - last_value AS gap FROM memhall.memory_revision',
      [last],
    );
    if (Number(gap) <= 0) break;
    await query(`SELECT max(nextval('memhall.memory_revision')) FROM generate_series(1, $1::int)`, [
      Math.min(Number(gap), drawnAtOnce),
    ]);
  }
  await query(
    `SELECT pg_advisory_xact_lock(hashtextextended($1 || E'\\n' || partition, 1))
     FROM (SELECT DISTINCT partition FROM unnest($2::text[]) AS partition ORDER BY partition) AS touched`,
    [tenantId, records.map(({ row }) => partitionOf(row))],
  );
  return restoreRows(restoring, { seq: arrival });
}

/** Keeps the archived number unless a memory of the partition, from another database, already has it. */
const arrival = `CASE WHEN EXISTS (SELECT FROM memhall.memories AS taken
    WHERE taken.tenant_id = $1 AND taken.seq = r.seq AND taken.partition =
      CASE WHEN r.namespace IS NOT NULL THEN 'n:' || r.namespace WHEN r.is_public THEN 'p:' ELSE 'u:' || r.user_id END)
  THEN nextval('memhall.memory_revision') ELSE r.seq END`;

function partitionOf({
  namespace,
  is_public: isPublic,
  user_id: userId,
}: {
  readonly [column: string]: unknown;
}): string {
  if (typeof namespace === 'string') return `n:${namespace}`;
  return isPublic === true ? 'p:' : `u:${userId}`;
}
