import type { FactReadings, ReadableMemories } from '../../ports/fact-readings.js';
import { partitionKey } from '../../ports/memories.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface UpcomingRow {
  id: string;
  occurred_at: Date;
  seq: string;
}

const own = 'tenant_id = $1 AND user_id = $2';
/** In a namespace, only what the user wrote. */
const readable = 'm.tenant_id = $1 AND m.user_id = $2 AND m.partition = ANY ($3) AND m.kind = ANY ($4)';

/** Whether the first of some memories was stored before facts were learned from all of them. Looks at one memory. */
const beganBefore = (condition: string) => `coalesce((
  SELECT m.recorded_at IS NULL OR m.recorded_at < (SELECT applied_at FROM memhall.migrations WHERE name LIKE '%fact\\_readings')
  FROM memhall.memories AS m WHERE m.tenant_id = $1 AND ${condition} ORDER BY m.seq LIMIT 1), false)`;

export function postgresFactReadings(statements: Statements, { tenantId, userId }: TransactionScope): FactReadings {
  const places = ({ partitions, kinds }: ReadableMemories) => [tenantId, userId, partitions.map(partitionKey), kinds];
  return {
    async open() {
      const rows = await statements.query<{ user_id: string }>(
        `SELECT h.user_id FROM memhall.audit_heads AS h
         LEFT JOIN memhall.fact_readings AS r ON r.tenant_id = h.tenant_id AND r.user_id = h.user_id
         WHERE h.tenant_id = $1 AND h.user_id <> '' AND h.user_id NOT LIKE 'workspace/%'
           AND CASE WHEN r.user_id IS NULL THEN ${beganBefore(`m.partition = 'u:' || h.user_id`)}
                 OR ${beganBefore('m.user_id = h.user_id AND m.namespace IS NOT NULL')}
               ELSE r.finished_at IS NULL END
         ORDER BY h.user_id`,
        [tenantId],
      );
      return rows.map(({ user_id }) => user_id);
    },

    async remaining() {
      const [row] = await statements.query<{ remaining: string | null }>(
        'SELECT sum(remaining) AS remaining FROM memhall.fact_readings WHERE tenant_id = $1 AND finished_at IS NULL',
        [tenantId],
      );
      return Number(row?.remaining ?? 0);
    },

    begin(memories, at) {
      statements.enqueue(
        `INSERT INTO memhall.fact_readings (tenant_id, user_id, until_seq, remaining, created_at)
         SELECT $1, $2, coalesce(max(m.seq), 0), count(*), $5 FROM memhall.memories AS m WHERE ${readable}
         ON CONFLICT (tenant_id, user_id) DO NOTHING`,
        [...places(memories), at],
      );
    },

    reset() {
      statements.enqueue(`DELETE FROM memhall.fact_readings WHERE ${own}`, [tenantId, userId]);
    },

    async upcoming(memories, limit) {
      const rows = await statements.query<UpcomingRow>(
        `SELECT m.id, m.occurred_at, m.seq FROM memhall.memories AS m, memhall.fact_readings AS r
         WHERE r.tenant_id = $1 AND r.user_id = $2 AND ${readable} AND m.seq <= r.until_seq
           AND (r.seq IS NULL OR (m.occurred_at, m.seq) > (r.occurred_at, r.seq))
         ORDER BY m.occurred_at, m.seq LIMIT $5`,
        [...places(memories), limit],
      );
      return rows.map(({ id, occurred_at, seq }) => ({ id, occurredAt: occurred_at, seq: BigInt(seq) }));
    },

    // A time of the database is finer than a Date, so the place is copied from the row itself.
    advance({ id, occurredAt, seq }, count) {
      statements.enqueue(
        `UPDATE memhall.fact_readings AS r
         SET occurred_at = coalesce((SELECT m.occurred_at FROM memhall.memories AS m WHERE m.tenant_id = $1 AND m.id = $3), $4),
             seq = $5, remaining = greatest(0, r.remaining - $6)
         WHERE r.tenant_id = $1 AND r.user_id = $2`,
        [tenantId, userId, id, occurredAt, seq.toString(), count],
      );
    },

    finish(at) {
      statements.enqueue(`UPDATE memhall.fact_readings SET remaining = 0, finished_at = $3 WHERE ${own}`, [
        tenantId,
        userId,
        at,
      ]);
    },
  };
}
