import type { FactPlace, FactPlaces } from '../../ports/fact-places.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { namesOf } from './postgres-subjects.js';

interface PlaceRow {
  subject_key: string;
  attribute_key: string;
  namespace: string;
  path: string;
  changes: string;
}

const own = 'tenant_id = $1 AND user_id = $2';
const columns = 'subject_key, attribute_key, namespace, path, changes';

export function postgresFactPlaces(statements: Statements, { tenantId, userId }: TransactionScope): FactPlaces {
  const select = async (condition: string, values: readonly unknown[]) => {
    const text = `SELECT ${columns} FROM memhall.fact_places WHERE ${own} AND ${condition}`;
    return (await statements.query<PlaceRow>(text, [tenantId, userId, ...values])).map(fromRow);
  };
  return {
    add(keys, { namespace, path }, at) {
      if (keys.length === 0) return;
      statements.enqueue(
        `INSERT INTO memhall.fact_places (tenant_id, user_id, subject_key, attribute_key, namespace, path, created_at)
         SELECT DISTINCT $1, $2, given.subject_key, given.attribute_key, $5, $6, $7::timestamptz
         FROM unnest($3::text[], $4::text[]) AS given (subject_key, attribute_key)
         ON CONFLICT DO NOTHING`,
        [
          ...[tenantId, userId, keys.map(({ subjectKey }) => subjectKey)],
          ...[keys.map(({ attributeKey }) => attributeKey), namespace, path, at],
        ],
      );
    },

    due: (now) =>
      select(
        `(namespace, path) IN (SELECT namespace, path FROM memhall.fact_places WHERE ${own} AND due_at <= $3)
         ORDER BY namespace, path`,
        [now],
      ),

    at: ({ namespace, path }) => select('namespace = $3 AND path = $4', [namespace, path]),

    setDue({ subjectKey, attributeKey, namespace, path, changes }, dueAt) {
      statements.enqueue(
        `UPDATE memhall.fact_places SET due_at = $8 WHERE ${own} AND subject_key = $3 AND attribute_key = $4
           AND namespace = $5 AND path = $6 AND changes = $7`,
        [tenantId, userId, subjectKey, attributeKey, namespace, path, changes, dueAt],
      );
    },

    async usersDue(now, limit) {
      const rows = await statements.query<{ user_id: string }>(
        `SELECT user_id FROM memhall.fact_places WHERE tenant_id = $1 AND due_at <= $2
         GROUP BY user_id ORDER BY min(due_at), user_id LIMIT $3`,
        [tenantId, now, limit],
      );
      return rows.map((row) => row.user_id);
    },
  };
}

/**
 * Makes the documents due that agree with the facts `$4`. They are looked up by all names of their subjects. Due since ever: the clocks
 * of the database and of the process that asks may differ.
 */
const makeDue = `
  UPDATE memhall.fact_places AS p SET due_at = to_timestamp(0), changes = p.changes + 1
  FROM (SELECT DISTINCT f.subject_key, f.attribute_key FROM memhall.facts AS f
    WHERE f.tenant_id = $1 AND f.user_id = $2 AND f.fact_id = ANY ($4)) AS touched
  WHERE p.tenant_id = $1 AND p.user_id = $2 AND p.attribute_key = touched.attribute_key
    AND p.subject_key = ANY (${namesOf('touched.subject_key')})
  RETURNING 1`;

/** Returns whether a document is due. Sent at once; resolves with the next round trip. */
export async function makePlacesDue(
  statements: Statements,
  { tenantId, userId }: TransactionScope,
  factIds: readonly string[],
): Promise<boolean> {
  return (await statements.query(makeDue, [tenantId, userId, null, factIds])).length > 0;
}

function fromRow({ subject_key, attribute_key, namespace, path, changes }: PlaceRow): FactPlace {
  return { subjectKey: subject_key, attributeKey: attribute_key, namespace, path, changes: Number(changes) };
}
