import { type Restoring, restoreRows } from './restore-rows.js';

/** Drawn at once: short enough for any statement timeout. */
const drawnAtOnce = 500_000;
/** No database gets there: a number beyond it is a mistake, and drawing up to it would take days. */
const greatestSeq = 2 ** 40;

/**
 * Memories keep their order of arrival; revisions are new ones, so that caches see them. The sequence of both is drawn forward
 * first: what is remembered from now on arrives later. Drawing is slower than setting it, and cannot set it back while others draw.
 */
export async function restoreMemories(restoring: Restoring): Promise<number> {
  const { query, tenantId, records } = restoring;
  const seqs = records.map(({ row }) => Number(row.seq ?? 0));
  const last = Math.max(0, ...seqs);
  if (!(last < greatestSeq)) throw new Error(`an order of arrival of ${last} cannot be`);
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

/** Its own, unless another memory of the partition has it, which came from another database. */
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
