import type { QuotaCounts } from '../../ports/quota-counts.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

/** A grant is this part of what is left: what is granted to one node and not used there is lost to the others. */
const parts = 16;
const share = (left: string) => `least(${left}, greatest($4, (${left} + ${parts - 1}) / ${parts}))`;

const take = `
  INSERT INTO memhall.quota_counts AS counted (tenant_id, key, ends_at, used, granted)
  VALUES ($1, $2, $5::timestamptz + interval '1 minute', ${share('$3::int')}, ${share('$3::int')})
  ON CONFLICT (tenant_id, key) DO UPDATE SET
    ends_at = CASE WHEN counted.ends_at <= $5 THEN excluded.ends_at ELSE counted.ends_at END,
    used = CASE WHEN counted.ends_at <= $5 THEN excluded.used ELSE counted.used + ${share('greatest($3 - counted.used, 0)')} END,
    granted = CASE WHEN counted.ends_at <= $5 THEN excluded.granted ELSE ${share('greatest($3 - counted.used, 0)')} END
  WHERE counted.tenant_id = $1
  RETURNING granted, ends_at`;

export function postgresQuotaCounts(statements: Statements, { tenantId }: TransactionScope): QuotaCounts {
  return {
    async take({ key, limit, wanted, now }) {
      const values = [tenantId, key, limit, wanted, now];
      const [row] = await statements.query<{ granted: number; ends_at: Date }>(take, values);
      if (row === undefined) throw new Error('a count was not returned');
      return { granted: row.granted, endsAt: row.ends_at };
    },

    async deleteEnded(now) {
      await statements.query('DELETE FROM memhall.quota_counts WHERE tenant_id = $1 AND ends_at <= $2', [
        tenantId,
        now,
      ]);
    },
  };
}
