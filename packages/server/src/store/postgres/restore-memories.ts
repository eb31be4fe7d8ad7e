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
  const { query, lock, tenantId, records } = restoring;
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
  const partitions = records.map(({ row }) => partitionOf(row));
  lock(partitions);
  const stored = await query<{ partition: string; seq: string }>(
    `SELECT partition, seq FROM memhall.memories
     WHERE tenant_id = $1 AND partition = ANY ($2) AND seq = ANY ($3::bigint[])`,
    [tenantId, [...new Set(partitions)], seqs],
  );
  const taken = new Set(stored.map(({ partition, seq }) => `${seq} ${partition}`));
  const moved = records.filter((_, index) => taken.has(`${seqs[index]} ${partitions[index]}`));
  const drawn = await query<{ seq: string }>(
    `SELECT nextval('memhall.memory_revision') AS seq FROM generate_series(1, $1::int)`,
    [moved.length],
  );
  const arrivals = Object.fromEntries(moved.map(({ row }, index) => [String(row.id), drawn[index]?.seq]));
  return restoreRows(restoring, { columns: { seq: arrival }, value: JSON.stringify(arrivals) });
}

/** Keeps the archived number unless a memory of the partition, from another database, already has it. */
const arrival = 'coalesce(($3::json ->> r.id)::bigint, r.seq)';

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
