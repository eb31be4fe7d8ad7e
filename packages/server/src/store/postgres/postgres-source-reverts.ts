import type { Artifact } from '../../ports/artifacts.js';
import type {
  FactChanges,
  RevertedDocument,
  SourceFilter,
  SourceMemory,
  SourceOwner,
  SourceReverts,
} from '../../ports/source-reverts.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { archiveTables } from './archive-tables.js';

type Query = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

const own = 'tenant_id = $1 AND user_id = $2';
const kept = `${own} AND revert_id = $3`;

/** Pieces of documents and notes change with their record. */
const ofItsOwn = `kind NOT IN ('document', 'tier')`;

/** The author of a record. An index has this expression. */
const actor = `((record::json -> 'actor') ->> 'user_id')`;
const service = `((record::json -> 'actor') ->> 'service_id')`;
/** A service with a token in the name of the user whose data it is, see `writerOf`. */
const speaksForOwner = `(${actor} = user_id AND ${service} IS NOT NULL
  AND (((record::json -> 'actor') ->> 'is_service') IS NOT NULL OR ((record::json -> 'actor') ->> 'roles')::jsonb ? 'service'))`;

/** Rows are kept as archives have them: by the columns that can be written. */
function columnsOf(name: string): readonly string[] {
  return archiveTables.find((table) => table.name === name)?.columns ?? [];
}

const keptTables = [
  { kind: 'memory', table: 'memories', key: 'id', columns: columnsOf('memory') },
  { kind: 'fact', table: 'facts', key: 'fact_id', columns: columnsOf('fact') },
  { kind: 'fact_state', table: 'fact_states', key: `fact_id || '/' || seq`, columns: columnsOf('fact_state') },
  {
    kind: 'fact_evidence',
    table: 'fact_evidence',
    key: `fact_id || '/' || memory_id`,
    columns: columnsOf('fact_evidence'),
  },
] as const;

export function postgresSourceReverts(statements: Statements, { tenantId, userId }: TransactionScope): SourceReverts {
  const query: Query = (text, values) => statements.query(text, values);
  const owner = userId ?? '';
  const keep = (revertId: string, kind: string, key: string, row: object, at: Date) =>
    statements.enqueue(
      `INSERT INTO memhall.reverted_rows (tenant_id, user_id, revert_id, kind, key, body, at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
      [tenantId, owner, revertId, kind, key, JSON.stringify(row), at],
    );
  const rowsOf = async <Row>(revertId: string, kind: string): Promise<Row[]> => {
    const rows = await query<{ body: Row }>(
      `SELECT body FROM memhall.reverted_rows WHERE ${kept} AND kind = $4 ORDER BY key`,
      [tenantId, owner, revertId, kind],
    );
    return rows.map(({ body }) => body);
  };
  return {
    async owners(filter) {
      const values: unknown[] = [tenantId];
      const rows = await query<{ user_id: string; namespace: string | null }>(
        `SELECT DISTINCT user_id, namespace FROM memhall.memories
         WHERE tenant_id = $1 AND ${memoryCondition(filter, values)} ORDER BY user_id, namespace NULLS FIRST`,
        values,
      );
      return rows.map(toOwner);
    },

    async memoryIds(filter) {
      const values: unknown[] = [tenantId];
      const rows = await query<{ id: string }>(
        `SELECT id FROM memhall.memories WHERE tenant_id = $1 AND ${memoryCondition(filter, values)} ORDER BY id`,
        values,
      );
      return rows.map(({ id }) => id);
    },

    async factUsers(filter, memoryIds) {
      const cites = await query<{ user_id: string }>(
        `SELECT user_id FROM memhall.fact_evidence WHERE tenant_id = $1 AND memory_id = ANY ($2)
         UNION SELECT user_id FROM memhall.fact_states WHERE tenant_id = $1 AND memory_id = ANY ($2)`,
        [tenantId, memoryIds],
      );
      const values: unknown[] = [tenantId];
      const changed = !saidDirectly(filter)
        ? []
        : await query<{ user_id: string }>(
            `SELECT DISTINCT user_id FROM memhall.audit_records
             WHERE tenant_id = $1 AND target LIKE 'fact/%' AND ${recordCondition(filter, values)}`,
            values,
          );
      return [...new Set([...cites, ...changed].map((row) => row.user_id))].sort();
    },

    async documents(filter) {
      if (!saidDirectly(filter)) return [];
      const values: unknown[] = [tenantId];
      const rows = await query<{ user_id: string; target: string }>(
        `SELECT DISTINCT user_id, target FROM memhall.audit_records
         WHERE tenant_id = $1 AND version IS NOT NULL AND ${recordCondition(filter, values)} ORDER BY user_id, target`,
        values,
      );
      return rows.map(({ user_id, target }) => {
        const [, namespace = '', ...path] = target.split('/');
        return { userId: user_id, namespace, path: path.join('/') };
      });
    },

    async memories(filter) {
      const values: unknown[] = [tenantId, owner];
      const rows = await query<{ id: string; kind: string; external_id: string | null; namespace: string | null }>(
        `SELECT id, kind, external_id, namespace FROM memhall.memories
         WHERE tenant_id = $1 AND user_id = $2 AND ${memoryCondition(filter, values)} ORDER BY seq`,
        values,
      );
      return rows.map(
        ({ id, kind, external_id, namespace }): SourceMemory => ({ id, kind, externalId: external_id, namespace }),
      );
    },

    async factChanges(filter) {
      if (!saidDirectly(filter)) return [];
      const values: unknown[] = [tenantId, owner];
      const rows = await query<{ target: string; seq: string; operation: string }>(
        `SELECT target, record::json ->> 'change_seq' AS seq, record::json ->> 'operation' AS operation FROM memhall.audit_records
         WHERE ${own} AND target LIKE 'fact/%' AND record::json ->> 'change_seq' IS NOT NULL
           AND target = 'fact/' || (record::json ->> 'cause') AND ${recordCondition(filter, values)}`,
        values,
      );
      return rows.map(({ target, seq, operation }) => ({
        ...{ factId: target.slice('fact/'.length), seq: Number(seq), operation },
      }));
    },

    async endedBy(factIds) {
      const rows = await query<{ id: string; by: string }>(
        `SELECT s.fact_id AS id, s.superseded_by AS by FROM memhall.fact_states AS s
         WHERE s.tenant_id = $1 AND s.user_id = $2 AND s.superseded_by = ANY ($3)
           AND NOT EXISTS (SELECT 1 FROM memhall.fact_states AS l WHERE l.tenant_id = $1 AND l.user_id = $2
             AND l.fact_id = s.fact_id AND l.seq > s.seq)`,
        [tenantId, owner, factIds],
      );
      return rows;
    },

    keepMemories: (revertId, ids, at) => copy('memory', 't.id = ANY ($5)', revertId, ids, at),

    keepFacts(revertId, ids, at) {
      copy('fact', 't.fact_id = ANY ($5)', revertId, ids, at);
      copy('fact_state', '(t.fact_id = ANY ($5) OR t.cause = ANY ($5))', revertId, ids, at);
      copy('fact_evidence', 't.fact_id = ANY ($5)', revertId, ids, at);
    },

    keepEvent: (revertId, event, at) => keep(revertId, 'event', event.name, event, at),
    keepDocument: (revertId, document, at) =>
      keep(revertId, 'document', `${document.namespace}/${document.path}`, document, at),
    keepFactChanges: (revertId, changes, at) => keep(revertId, 'fact_changes', String(changes.upTo), changes, at),

    async restore(revertId) {
      const counts = new Map<string, number>();
      for (const { kind, table, columns } of keptTables) {
        // The columns of a memory that was kept are as they were, but the revision is new: caches read it again.
        const [added] = await query<{ added: string }>(
          `WITH added AS (INSERT INTO memhall.${table} (tenant_id, ${columns.join(', ')})
             SELECT $1, ${columns.map((column) => `r.${column}`).join(', ')}
             FROM memhall.reverted_rows AS k CROSS JOIN LATERAL json_populate_record(NULL::memhall.${table}, k.body) AS r
             WHERE k.tenant_id = $1 AND k.user_id = $2 AND k.revert_id = $3 AND k.kind = $4${restorable[kind] ?? ''}
             ON CONFLICT DO NOTHING RETURNING 1)
           SELECT count(*) AS added FROM added`,
          [tenantId, owner, revertId, kind],
        );
        counts.set(kind, Number(added?.added ?? 0));
      }
      const facts = await query<{ key: string }>(
        `SELECT key FROM memhall.reverted_rows WHERE ${kept} AND kind = 'fact'`,
        [tenantId, owner, revertId],
      );
      return {
        memories: counts.get('memory') ?? 0,
        facts: counts.get('fact') ?? 0,
        factIds: facts.map(({ key }) => key),
      };
    },

    async events(revertId) {
      const rows = await rowsOf<Artifact<'event'>>(revertId, 'event');
      return rows.map((event) => ({
        ...event,
        ...{ occurredAt: new Date(event.occurredAt), createdAt: new Date(event.createdAt) },
        updatedAt: new Date(event.updatedAt),
      }));
    },

    keptDocuments: (revertId) => rowsOf<RevertedDocument>(revertId, 'document'),

    async dropFactChanges(revertId) {
      for (const { after, upTo } of await rowsOf<FactChanges>(revertId, 'fact_changes')) {
        statements.enqueue(`DELETE FROM memhall.fact_states WHERE ${own} AND seq > $3 AND seq <= $4`, [
          tenantId,
          owner,
          after,
          upTo,
        ]);
      }
    },

    forget(revertId) {
      statements.enqueue(`DELETE FROM memhall.reverted_rows WHERE ${kept}`, [tenantId, owner, revertId]);
    },

    async keptOwners(revertId) {
      const rows = await query<{ user_id: string; namespace: string | null }>(
        `SELECT DISTINCT user_id, CASE WHEN kind = 'memory' THEN body ->> 'namespace' END AS namespace
         FROM memhall.reverted_rows WHERE tenant_id = $1 AND revert_id = $2 ORDER BY user_id, namespace`,
        [tenantId, revertId],
      );
      return rows.map(toOwner);
    },

    async list({ after, limit }) {
      const rows = await query<{ revert_id: string; at: Date; users: string; memories: string; facts: string }>(
        `SELECT revert_id, min(at) AS at, count(DISTINCT user_id) AS users,
           count(*) FILTER (WHERE kind = 'memory') AS memories, count(*) FILTER (WHERE kind = 'fact') AS facts
         FROM memhall.reverted_rows WHERE tenant_id = $1 GROUP BY revert_id
         HAVING $2::timestamptz IS NULL OR (min(at), revert_id) < ($2, $3)
         ORDER BY 2 DESC, 1 DESC LIMIT $4`,
        [tenantId, after?.at ?? null, after?.revertId ?? null, limit],
      );
      return rows.map(({ revert_id, at, users, memories, facts }) => ({
        ...{ revertId: revert_id, at, users: Number(users), memories: Number(memories), facts: Number(facts) },
      }));
    },

    async purge(before, limit) {
      const rows = await query<object>(
        `DELETE FROM memhall.reverted_rows WHERE tenant_id = $1 AND ctid = ANY (ARRAY(
           SELECT ctid FROM memhall.reverted_rows WHERE ${own} AND at < $3 LIMIT $4)) RETURNING 1`,
        [tenantId, owner, before, limit],
      );
      return rows.length;
    },
  };

  function copy(
    kind: (typeof keptTables)[number]['kind'],
    condition: string,
    revertId: string,
    ids: readonly string[],
    at: Date,
  ): void {
    const found = keptTables.find((one) => one.kind === kind) ?? keptTables[0];
    const columns = found.columns.map((column) => `t.${column}`).join(', ');
    const key = found.key.replaceAll(/\b(id|fact_id|seq|memory_id)\b/g, 't.$&');
    statements.enqueue(
      `INSERT INTO memhall.reverted_rows (tenant_id, user_id, revert_id, kind, key, body, at)
       SELECT $1, $2, $3, $4, ${key}, (SELECT row_to_json(r) FROM (SELECT ${columns}) AS r), $6
       FROM memhall.${found.table} AS t WHERE t.tenant_id = $1 AND t.user_id = $2 AND ${condition} ON CONFLICT DO NOTHING`,
      [tenantId, owner, revertId, kind, ids, at],
    );
  }
}

/** What cannot be added again, because what it belongs to is gone. */
const restorable: Readonly<Record<string, string>> = {
  memory: ` AND (r.namespace IS NULL OR EXISTS (SELECT 1 FROM memhall.namespaces AS n WHERE n.tenant_id = $1 AND n.name = r.namespace))`,
  fact_state: ` AND EXISTS (SELECT 1 FROM memhall.facts AS f WHERE f.tenant_id = $1 AND f.user_id = $2 AND f.fact_id = r.fact_id)`,
  fact_evidence: ` AND EXISTS (SELECT 1 FROM memhall.facts AS f WHERE f.tenant_id = $1 AND f.user_id = $2 AND f.fact_id = r.fact_id)`,
};

function toOwner({ user_id, namespace }: { user_id: string; namespace: string | null }): SourceOwner {
  return { userId: user_id, namespace };
}

/** Facts that were stated, and documents, are of no namespace of memories and of no file. */
function saidDirectly({ author, namespace, resourceId }: SourceFilter): boolean {
  return author !== undefined && namespace === undefined && resourceId === undefined;
}

function memoryCondition(
  { author, surface, namespace, resourceId, from, to }: SourceFilter,
  values: unknown[],
): string {
  const next = (value: unknown) => `$${values.push(value)}`;
  return [
    ofItsOwn,
    ...(author === undefined ? [] : [`author = ${next(author)}`]),
    ...(surface === undefined ? [] : [`surface = ${next(surface)}`]),
    ...(namespace === undefined ? [] : [`namespace = ${next(namespace)}`]),
    ...(resourceId === undefined
      ? []
      : [`kind = 'resource' AND right(session_id, ${resourceId.length + 1}) = ${next(`:${resourceId}`)}`]),
    ...(from === undefined ? [] : [`recorded_at >= ${next(from)}`]),
    ...(to === undefined ? [] : [`recorded_at < ${next(to)}`]),
  ].join(' AND ');
}

/** The surface is compared by the caller: it follows from the operation. Replays are made from the user's own conversations. */
function recordCondition({ author, from, to }: SourceFilter, values: unknown[]): string {
  const next = (value: unknown) => `$${values.push(value)}`;
  const name = next(author);
  return [
    `((${actor} = ${name} AND ${speaksForOwner} IS NOT TRUE) OR (${service} = ${name} AND (${actor} IS NULL OR ${speaksForOwner})) OR (${actor} IS NULL AND ${service} = 'memhall' AND user_id = ${name}))`,
    ...(from === undefined ? [] : [`at >= ${next(from.toISOString())}`]),
    ...(to === undefined ? [] : [`at < ${next(to.toISOString())}`]),
  ].join(' AND ');
}
