import type { Trust } from '../../ports/memory-origin.js';
import type { SubjectName, SubjectSummary, Subjects } from '../../ports/subjects.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface NameRow {
  seq: string;
  name_key: string;
  name: string;
  parent_key: string | null;
  subject_key: string;
  subject: string;
  change: SubjectName['change'];
  at: Date;
  trust: Trust;
  undoes: string | null;
}

const own = 'tenant_id = $1 AND user_id = $2';
const columns = 'seq, name_key, name, parent_key, subject_key, subject, change, at, trust, undoes';

/** Selects rows of `n` that were the last of their name at `$3`. */
const isLast = `n.tenant_id = $1 AND n.user_id = $2 AND ($3::timestamptz IS NULL OR n.at <= $3)
  AND NOT EXISTS (SELECT 1 FROM memhall.subject_names AS l
    WHERE l.tenant_id = $1 AND l.user_id = $2 AND l.name_key = n.name_key AND l.seq > n.seq
      AND ($3::timestamptz IS NULL OR l.at <= $3))`;

/** The last row of a name at `$3`. */
const lastOf = (nameKey: string) => `SELECT n.subject_key, n.subject FROM memhall.subject_names AS n
  WHERE n.tenant_id = $1 AND n.user_id = $2 AND n.name_key BETWEEN ${nameKey} AND ${nameKey}
    AND ($3::timestamptz IS NULL OR n.at <= $3)
  ORDER BY n.name_key DESC, n.seq DESC LIMIT 1`;

const subjectOf = (nameKey: string) => `coalesce((SELECT t.subject_key FROM (${lastOf(nameKey)}) AS t), ${nameKey})`;

/** Returns an array of the keys of all names that meant the same subject as this one at `$3`, with its own. */
export function namesOf(nameKey: string): string {
  return `ARRAY (SELECT ${subjectOf(nameKey)} UNION SELECT n.name_key FROM memhall.subject_names AS n
    WHERE n.subject_key = ${subjectOf(nameKey)} AND ${isLast})`;
}

export function postgresSubjects(statements: Statements, { tenantId, userId }: TransactionScope): Subjects {
  return {
    async keysOf(nameKeys) {
      const rows = await statements.query<{ name_key: string; key: string }>(
        `SELECT given.name_key, ${subjectOf('given.name_key')} AS key FROM unnest($4::text[]) AS given (name_key)`,
        [tenantId, userId, null, nameKeys],
      );
      return new Map(rows.map(({ name_key, key }) => [name_key, key]));
    },

    async find(nameKey, knownAt) {
      const [found] = await statements.query<{ key: string; name: string | null; aliases: NameRow[] }>(
        `SELECT s.key, coalesce(
           (SELECT n.subject FROM memhall.subject_names AS n WHERE n.subject_key = s.key AND ${isLast} ORDER BY n.seq DESC LIMIT 1),
           (SELECT f.subject FROM memhall.facts AS f WHERE f.tenant_id = $1 AND f.user_id = $2 AND f.subject_key = s.key
              AND ($3::timestamptz IS NULL OR f.recorded_at <= $3) ORDER BY f.fact_id LIMIT 1)) AS name
         FROM (SELECT ${subjectOf('$4::text')} AS key) AS s`,
        [tenantId, userId, knownAt, nameKey],
      );
      const key = found?.key ?? nameKey;
      const aliases = await aliasesOf([key], knownAt);
      return { key, name: found?.name ?? undefined, aliases };
    },

    async list(asOf, { knownAt, after, limit }) {
      const rows = await statements.query<{ key: string; name: string; facts: string; current: string }>(
        `SELECT coalesce(n.subject_key, f.subject_key) AS key,
           (array_agg(coalesce(n.subject, f.subject) ORDER BY n.subject IS NULL, f.fact_id))[1] AS name,
           count(*) AS facts, count(*) FILTER (WHERE s.valid_to IS NULL OR s.valid_to > $4) AS current
         FROM memhall.facts AS f
         CROSS JOIN LATERAL (SELECT t.standing, t.valid_from, t.valid_to FROM memhall.fact_states AS t
           WHERE t.tenant_id = $1 AND t.user_id = $2 AND t.fact_id = f.fact_id AND ($3::timestamptz IS NULL OR t.at <= $3)
           ORDER BY t.at DESC LIMIT 1) AS s
         LEFT JOIN LATERAL (${lastOf('f.subject_key')}) AS n ON true
         WHERE f.tenant_id = $1 AND f.user_id = $2 AND ($3::timestamptz IS NULL OR f.recorded_at <= $3)
           AND s.standing <> 'retracted' AND s.valid_from <= $4
           AND ($5::text IS NULL OR coalesce(n.subject_key, f.subject_key) > $5)
         GROUP BY 1 ORDER BY 1 LIMIT $6`,
        [tenantId, userId, knownAt, asOf, after ?? null, limit],
      );
      const aliases =
        rows.length === 0
          ? []
          : await aliasesOf(
              rows.map(({ key }) => key),
              knownAt,
            );
      return rows.map(
        ({ key, name, facts, current }): SubjectSummary => ({
          ...{ key, name, facts: Number(facts), current: Number(current) },
          aliases: aliases.filter(({ subjectKey }) => subjectKey === key),
        }),
      );
    },

    async lastMerge(nameKey) {
      const rows = await statements.query<{ seq: string | null }>(
        `SELECT max(seq) AS seq FROM memhall.subject_names WHERE ${own} AND name_key = $3 AND change = 'merged'`,
        [tenantId, userId, nameKey],
      );
      const seq = rows[0]?.seq ?? null;
      return seq === null ? undefined : Number(seq);
    },

    add(names) {
      for (const { seq, nameKey, name, parentKey, subjectKey, subject, change, at, trust, undoes } of names) {
        statements.enqueue(
          `INSERT INTO memhall.subject_names (tenant_id, user_id, ${columns})
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
          [tenantId, userId, seq, nameKey, name, parentKey, subjectKey, subject, change, at, trust, undoes],
        );
      }
    },
  };

  async function aliasesOf(keys: readonly string[], knownAt: Date | null): Promise<SubjectName[]> {
    const rows = await statements.query<NameRow>(
      `SELECT ${columns.replaceAll(/\w+/g, 'n.$&')} FROM memhall.subject_names AS n
       WHERE n.subject_key = ANY ($4) AND n.name_key <> n.subject_key AND ${isLast} ORDER BY n.name_key`,
      [tenantId, userId, knownAt, keys],
    );
    return rows.map(fromRow);
  }
}

function fromRow(row: NameRow): SubjectName {
  return {
    seq: Number(row.seq),
    nameKey: row.name_key,
    name: row.name,
    parentKey: row.parent_key,
    subjectKey: row.subject_key,
    subject: row.subject,
    change: row.change,
    at: row.at,
    trust: row.trust,
    undoes: row.undoes === null ? null : Number(row.undoes),
  };
}
