import type { ChainEnd } from '../../ports/audit-log.js';
import type { Counts, Erasure } from '../../ports/erasure.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { conditionOf, type ErasableRows, personalRows, tenantRows } from './erasable-rows.js';

export function postgresErasure(statements: Statements, { tenantId, userId }: TransactionScope): Erasure {
  const remove = async (rows: readonly Partial<ErasableRows>[], values: string[]): Promise<Counts> => {
    const counts: Record<string, number> = {};
    for (const one of rows) {
      const { rowCount } = await statements.send(`DELETE FROM memhall.${one.table} WHERE ${conditionOf(one)}`, values);
      if (one.kind !== undefined) counts[one.kind] = rowCount ?? 0;
    }
    return counts;
  };

  /** Takes the same locks as `Memories.lock`, in order, so that two such transactions never deadlock. */
  const lockShared = (condition: string, values: string[]) =>
    statements.query(
      `SELECT pg_advisory_xact_lock(hashtextextended($1 || E'\\n' || partition, 1)) FROM (
         SELECT DISTINCT partition FROM memhall.memories
         WHERE tenant_id = $1 AND (namespace IS NOT NULL OR is_public)${condition} ORDER BY partition) AS shared`,
      values,
    );

  return {
    async removeUser() {
      await lockShared(' AND user_id = $2', [tenantId, userId]);
      return remove(personalRows, [tenantId, userId]);
    },

    async removeTenant() {
      await lockShared('', [tenantId]);
      const everybodys = personalRows.map(({ ofUser: _, ...rows }) => rows);
      return remove([...everybodys, ...tenantRows], [tenantId]);
    },

    async count(ofUser, moment) {
      const rows =
        ofUser === null ? [...personalRows.map(({ ofUser: _, ...rest }) => rest), ...tenantRows] : personalRows;
      const parts = rows.flatMap(({ kind, madeAt, ...one }) =>
        kind === undefined
          ? []
          : [
              `SELECT '${kind}' AS kind, count(*) FILTER (WHERE ${madeAt} < $${ofUser === null ? 2 : 3})::int AS before,
                 count(*) FILTER (WHERE ${madeAt} >= $${ofUser === null ? 2 : 3})::int AS since
               FROM memhall.${one.table} WHERE ${conditionOf(one)}`,
            ],
      );
      const found = await statements.query<{ kind: string; before: number; since: number }>(parts.join(' UNION ALL '), [
        tenantId,
        ...(ofUser === null ? [] : [ofUser]),
        moment,
      ]);
      return {
        before: Object.fromEntries(found.map(({ kind, before }) => [kind, before])),
        since: Object.fromEntries(found.map(({ kind, since }) => [kind, since])),
      };
    },
  };
}

/** Removes the records of a chain up to and including `cut`. */
export async function cutChain(
  statements: Statements,
  { tenantId, userId }: Pick<TransactionScope, 'tenantId' | 'userId'>,
  cut: ChainEnd,
): Promise<number> {
  const seq = cut.seq.toString();
  const { rowCount } = await statements.send(
    'DELETE FROM memhall.audit_records WHERE tenant_id = $1 AND user_id = $2 AND seq <= $3',
    [tenantId, userId, seq],
  );
  statements.enqueue(
    `INSERT INTO memhall.audit_cuts (tenant_id, user_id, seq, hash) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant_id, user_id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash`,
    [tenantId, userId, seq, cut.hash],
  );
  return rowCount ?? 0;
}
