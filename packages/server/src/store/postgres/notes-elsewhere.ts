import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Erasure, NotePlace } from '../../ports/erasure.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

/** Ends the path of every text about the user `$2`; null if the key is exactly the id of another user. */
const suffix = `(SELECT '/peers/' || memhall.peer_key($2) || '.md' WHERE memhall.peer_key($2) = $2 OR NOT EXISTS
  (SELECT 1 FROM memhall.audit_heads WHERE tenant_id = $1 AND user_id = memhall.peer_key($2)))`;
const endsIn = (column: string) => `right(${column}, length(${suffix})) = ${suffix}`;

const target = `target LIKE 'documents/provider/%/peers/%'`;
const documents = `kind = 'document' AND folder = 'provider'`;
const isAbout = `name LIKE '%/peers/%' AND ${endsIn('name')}`;
const isOnlyBy = `(body -> 'content' -> 'writers')::jsonb = jsonb_build_array($2::text)`;

interface RowsElsewhere {
  kind: string;
  table: string;
  condition: string;
  madeAt: string;
  /** Found because the user wrote it, among words of others. */
  isAuthored?: boolean;
}

/** The author of a record. An index has exactly this expression. */
const actor = `((record::json -> 'actor') ->> 'user_id')`;
/** Versions by the user `$2` whose content was not erased. A removal has no content. */
export const isAuthored = `version IS NOT NULL AND ${actor} <> user_id AND ${actor} = $2
  AND record::json ->> 'post_etag' IS NOT NULL AND record::json ->> 'erased_by' IS NULL`;
const isPartlyBy = `(body -> 'content' -> 'writers')::jsonb ? $2 AND NOT ${isOnlyBy}`;

/** Memories that the user `$2` wrote for others. An index has these conditions. */
const isWrittenFor = `author <> user_id AND author <> '' AND author = $2`;

/** What was taken back of what an author wrote for others. */
export const isRevertedOf = (author: string) => `kind = 'memory' AND body ->> 'author' = ${author}`;

/** Rows of other users that belong to texts about the user `$2`, only by that user, or partly by that user. */
const rowsElsewhere: readonly RowsElsewhere[] = [
  { kind: 'notes_elsewhere', table: 'artifacts', condition: `${documents} AND ${isAbout}`, madeAt: 'created_at' },
  {
    kind: 'notes_elsewhere',
    table: 'artifacts',
    condition: `${documents} AND NOT coalesce(${isAbout}, false) AND ${isOnlyBy}`,
    madeAt: 'created_at',
  },
  {
    kind: 'texts_elsewhere',
    table: 'artifacts',
    condition: `${documents} AND NOT coalesce(${isAbout}, false) AND ${isPartlyBy}`,
    madeAt: 'updated_at',
    isAuthored: true,
  },
  {
    kind: 'versions_elsewhere',
    table: 'audit_records',
    condition: `${isAuthored} AND NOT coalesce(${target} AND ${endsIn('target')}, false)`,
    madeAt: 'at::timestamptz',
    isAuthored: true,
  },
  {
    kind: 'versions_elsewhere',
    table: 'document_checkpoints',
    condition: `folder = 'provider' AND (body -> 'content' -> 'writers')::jsonb ? $2`,
    madeAt: 'at',
    isAuthored: true,
  },
  {
    kind: 'quarantined_elsewhere',
    table: 'quarantine',
    condition: `origin_updated_by = $2 AND NOT coalesce(folder = 'provider' AND ${isAbout}, false)`,
    madeAt: 'created_at',
    isAuthored: true,
  },
  {
    kind: 'versions_elsewhere',
    table: 'audit_records',
    condition: `version IS NOT NULL AND ${target} AND ${endsIn('target')} AND record::json ->> 'post_etag' IS NOT NULL`,
    madeAt: 'at::timestamptz',
  },
  {
    kind: 'passages_elsewhere',
    table: 'memories',
    condition: `kind = 'tier' AND session_id LIKE 'tier:%/peers/%' AND ${endsIn('session_id')}`,
    madeAt: 'created_at',
  },
  {
    kind: 'quarantined_elsewhere',
    table: 'quarantine',
    condition: `folder = 'provider' AND ${isAbout}`,
    madeAt: 'created_at',
  },
  { kind: 'authors_elsewhere', table: 'memories', condition: isWrittenFor, madeAt: 'updated_at' },
];

const others = 'tenant_id = $1 AND user_id <> $2';
const nameOfTarget = `substr(target, length('documents/provider/') + 1)`;

/** Returns one SELECT for each kind of row: kind, and how many were made before `$3` and since. */
export function countElsewhere(): string[] {
  return rowsElsewhere.map(
    ({ kind, table, condition, madeAt }) =>
      `SELECT '${kind}' AS kind, count(*) FILTER (WHERE ${madeAt} < $3)::int AS before,
         count(*) FILTER (WHERE ${madeAt} >= $3)::int AS since
       FROM memhall.${table} WHERE ${others} AND ${condition}`,
  );
}

export function authoredElsewhere(
  statements: Statements,
  { tenantId }: TransactionScope,
): Erasure['authoredElsewhere'] {
  const places = rowsElsewhere
    .filter((rows) => rows.isAuthored)
    .map(({ table, condition }) => {
      const target = table === 'audit_records' ? 'target' : `'documents/' || folder || '/' || name`;
      return `SELECT user_id, ${target} AS target FROM memhall.${table} WHERE ${others} AND ${condition}`;
    });
  return async (userId) => {
    const rows = await statements.query<{ user_id: string; target: string }>(
      `SELECT DISTINCT user_id, target FROM (${places.join(' UNION ALL ')}) AS found ORDER BY user_id, target`,
      [tenantId, userId],
    );
    return rows.map(({ user_id, target }) => ({ userId: user_id, ...fromTarget(target) }));
  };
}

export function writtenFor(statements: Statements, { tenantId }: TransactionScope): Erasure['writtenFor'] {
  return async (author) => {
    const rows = await statements.query<{ user_id: string }>(
      `SELECT user_id FROM memhall.memories WHERE ${others} AND ${isWrittenFor}
       UNION SELECT user_id FROM memhall.memory_versions WHERE ${others} AND ${isWrittenFor}
       UNION SELECT user_id FROM memhall.reverted_rows WHERE ${others} AND user_id <> '' AND ${isRevertedOf('$2')}
       ORDER BY user_id`,
      [tenantId, author],
    );
    return rows.map(({ user_id }) => user_id);
  };
}

/** Targets of documents are `documents/<namespace>/<path>`. */
export function fromTarget(target: string): DocumentPlace {
  const [, namespace = '', ...parts] = target.split('/');
  return { namespace, path: parts.join('/') };
}

export function notesElsewhere(statements: Statements, { tenantId }: TransactionScope): Erasure['notesElsewhere'] {
  const places = rowsElsewhere
    .filter(({ table, isAuthored }) => table !== 'memories' && isAuthored !== true)
    .map(({ table, condition }) => {
      const name = table === 'audit_records' ? nameOfTarget : 'name';
      return `SELECT user_id, ${name} AS name FROM memhall.${table} WHERE ${others} AND ${condition}`;
    });
  return async (userId) => {
    const rows = await statements.query<{ user_id: string; name: string }>(
      `SELECT DISTINCT user_id, name FROM (${places.join(' UNION ALL ')}) AS found ORDER BY user_id, name`,
      [tenantId, userId],
    );
    return rows.map(({ user_id, name }): NotePlace => ({ userId: user_id, namespace: 'provider', path: name }));
  };
}
