import { assumedOrigin } from '../../ports/assumed-origin.js';
import { type Memories, type Memory, type Partition, partitionKey, type SearchForm } from '../../ports/memories.js';
import type { MemoryOrigin } from '../../ports/memory-origin.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { readBigints } from './binary-columns.js';
import { deleteMemories, updateMemories } from './change-memories.js';
import { toHalfvec } from './half-precision.js';
import { lockPartitions } from './lock-partitions.js';
import { memoryConditions } from './memory-conditions.js';
import { rowsBySeq } from './rows-by-seq.js';

/**
 * The column of each field that is stored as it is; the partition has columns of its own. The statements and their
 * parameters are derived from this list.
 */
const columnOf = {
  id: 'id',
  userId: 'user_id',
  kind: 'kind',
  content: 'content',
  cue: 'cue',
  contentHash: 'content_hash',
  externalId: 'external_id',
  uniqueContent: 'unique_content',
  tags: 'tags',
  source: 'source',
  sessionId: 'session_id',
  planId: 'plan_id',
  agentId: 'agent_id',
  role: 'role',
  isPinned: 'is_pinned',
  expiresAt: 'expires_at',
  occurredAt: 'occurred_at',
  metadata: 'metadata',
  propagation: 'propagation',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  surface: 'surface',
  author: 'author',
  trust: 'trust',
  recordedAt: 'recorded_at',
} as const satisfies Record<Field, string>;

type Field = Exclude<keyof Memory, 'partition'>;

const fields = Object.keys(columnOf) as Field[];
/** The fields that an update replaces. */
const changingFields = fields.filter((field) => field !== 'id' && field !== 'userId');
export const formColumns = ['analysis', 'terms', 'term_count', 'traits', 'embedding_model', 'embedding'];

/** Null, all of them, in rows that were stored without an origin. */
type OriginField = keyof MemoryOrigin | 'recordedAt';

export type MemoryRow = {
  [F in Field as (typeof columnOf)[F]]: F extends OriginField ? Memory[F] | null : Memory[F];
} & {
  namespace: string | null;
  is_public: boolean;
};

const columns = ['namespace', 'is_public', ...fields.map((field) => columnOf[field])];
export const memoryColumns = columns.join(', ');

const withId = 'tenant_id = $1 AND id = $2';

const insertText = insertOf(['tenant_id', ...columns, ...formColumns]);
const updateText = updateOf(changingFields.map((field) => columnOf[field]));
const updateWithFormText = updateOf(
  [...changingFields.map((field) => columnOf[field]), ...formColumns],
  ', embedded_at = NULL',
);

function insertOf(columns: readonly string[]): string {
  const placeholders = columns.map((_, index) => `$${index + 1}`);
  return `INSERT INTO memhall.memories (${columns.join(', ')}) VALUES (${placeholders.join(', ')})`;
}

function updateOf(columns: readonly string[], also = ''): string {
  const assignments = columns.map((column, index) => `${column} = $${index + 3}`);
  const at = `$${changingFields.indexOf('updatedAt') + 3}`;
  return updateMemories(`${assignments.join(', ')}, version_at = ${at}${also}`, { condition: withId });
}

const keptColumns = [...columns, ...formColumns, 'revision', 'embedded_at'].join(', ');
/** Keeps a memory as it is before it is changed. */
const keepVersion = `INSERT INTO memhall.memory_versions (tenant_id, ${keptColumns}, began_at, ended_at)
  SELECT tenant_id, ${keptColumns}, coalesce(version_at, recorded_at, created_at), $3 FROM memhall.memories
  WHERE tenant_id = $1 AND id = $2`;

/** True for memories that can be recalled at `$n`: neither the memory nor its namespace has expired. */
const alive = (now: string) => `(expires_at IS NULL OR expires_at > ${now})
  AND (namespace IS NULL OR NOT EXISTS (SELECT 1 FROM memhall.namespaces AS n
       WHERE n.tenant_id = memories.tenant_id AND n.name = memories.namespace AND n.expires_at <= ${now}))`;

/** The column compares by code, so a prefix is a range of its index. */
const under = 'tenant_id = $1 AND partition = $2 AND kind = $3 AND external_id >= $4 AND external_id < $5';

const outdated = '(analysis <> $3 OR ($2::text IS NOT NULL AND embedding_model IS DISTINCT FROM $2))';

export function postgresMemories(statements: Statements, { tenantId }: TransactionScope): Memories {
  const select = async (condition: string, values: unknown[]) => {
    const text = `SELECT ${memoryColumns} FROM memhall.memories WHERE tenant_id = $1 AND ${condition}`;
    return (await statements.query<MemoryRow>(text, [tenantId, ...values])).map(fromRow);
  };
  return {
    lock(partition) {
      lockPartitions(statements, tenantId, [partitionKey(partition)]);
    },

    getMany: (ids, now) => select(`id = ANY ($2) AND ${alive('$3')}`, [ids, now]),

    findStored: (ids) => select('id = ANY ($2)', [ids]),

    findByExternalId: (partition, kind, externalIds) =>
      select('partition = $2 AND kind = $3 AND external_id = ANY ($4)', [partitionKey(partition), kind, externalIds]),

    async externalIdsUnder(partition, kind, prefix) {
      // One row instead of thousands: a row costs more than what it holds. No external id has a line end.
      const rows = await statements.query<{ lines: string | null }>(
        `SELECT string_agg(external_id, E'\\n') AS lines FROM memhall.memories WHERE ${under}`,
        [tenantId, partitionKey(partition), kind, ...rangeOf(prefix)],
      );
      return rows[0]?.lines?.split('\n') ?? [];
    },

    findByContent: (partition, kind, hashes) =>
      select('partition = $2 AND kind = $3 AND unique_content AND content_hash = ANY ($4)', [
        partitionKey(partition),
        kind,
        hashes,
      ]),

    async list(partitions, filter, { before, limit, now }) {
      const values: unknown[] = [tenantId, partitions.map(partitionKey), now, limit];
      const older = before === undefined ? '' : ` AND seq < $${values.push(before.toString())}`;
      const conditions = older + memoryConditions(filter, values);
      const rows = await statements.query<MemoryRow & { seq: string }>(
        `SELECT page.* FROM unnest($2::text[]) AS wanted CROSS JOIN LATERAL (
           SELECT ${memoryColumns}, seq FROM memhall.memories
           WHERE tenant_id = $1 AND partition = wanted AND ${alive('$3')}${conditions}
           ORDER BY seq DESC LIMIT $4) AS page
         ORDER BY seq DESC LIMIT $4`,
        values,
      );
      return rows.map(listed);
    },

    async newest(partitions, filter, { limit, now }) {
      const values: unknown[] = [tenantId, partitions.map(partitionKey), now, limit];
      const conditions = memoryConditions(filter, values);
      const rows = await statements.query<MemoryRow>(
        `SELECT page.* FROM unnest($2::text[]) AS wanted CROSS JOIN LATERAL (
           SELECT ${memoryColumns}, seq FROM memhall.memories
           WHERE tenant_id = $1 AND partition = wanted AND namespace IS NOT NULL AND ${alive('$3')}${conditions}
           ORDER BY created_at DESC, seq DESC LIMIT $4) AS page
         ORDER BY created_at DESC, seq DESC LIMIT $4`,
        values,
      );
      return rows.map(fromRow);
    },

    async arrivedAfter(partition, filter, { after, limit, now, withoutSession = false }) {
      const values: unknown[] = [tenantId, partitionKey(partition), now, limit, after.toString()];
      const conditions = memoryConditions(filter, values) + (withoutSession ? ' AND session_id IS NULL' : '');
      const rows = await statements.query<MemoryRow & { seq: string }>(
        `SELECT ${memoryColumns}, seq FROM memhall.memories
         WHERE tenant_id = $1 AND partition = $2 AND seq > $5 AND ${alive('$3')}${conditions} ORDER BY seq LIMIT $4`,
        values,
      );
      return rows.map(listed);
    },

    async arrivedAs(partition, filter, { seqs, now }) {
      const values: unknown[] = [tenantId, partitionKey(partition), now, seqs];
      const rows = await statements.query<MemoryRow & { seq: string }>(
        `SELECT ${memoryColumns}, seq FROM ${rowsBySeq('$4')} AS memories
         WHERE ${alive('$3')}${memoryConditions(filter, values)}`,
        values,
      );
      const found = new Map(rows.map((row) => [Number(row.seq), fromRow(row)]));
      return seqs.flatMap((seq) => found.get(seq) ?? []);
    },

    async sessions(partition, filter, { after, limit }) {
      const values: unknown[] = [tenantId, partitionKey(partition), after, limit];
      const from = `FROM memhall.memories WHERE tenant_id = $1 AND partition = $2${memoryConditions(filter, values)} AND session_id`;
      const next = `SELECT session_id ${from} >`;
      // One look into the index per session: reading all memories of a user for their sessions takes long. The order of the index is
      // asked for because a planner without statistics would take any other index as well.
      const rows = await statements.query<{ id: string; seqs: Buffer }>(
        `WITH RECURSIVE found AS (
           (${next} $3 ORDER BY session_id LIMIT 1)
           UNION ALL
           SELECT (${next} found.session_id ORDER BY session_id LIMIT 1) FROM found WHERE found.session_id IS NOT NULL)
         SELECT session_id AS id, (SELECT string_agg(int8send(seq), ''::bytea) FROM (
           SELECT seq ${from} BETWEEN page.session_id AND page.session_id ORDER BY session_id, kind, occurred_at, seq) AS ones) AS seqs
         FROM (SELECT session_id FROM found WHERE session_id IS NOT NULL LIMIT $4) AS page`,
        values,
      );
      return rows.map(({ id, seqs }) => ({ id, seqs: [...readBigints(seqs).sort()] }));
    },

    async recent(partition, { kind, agentId, ...filter }, { before, limit, now }) {
      const values: unknown[] = [tenantId, partitionKey(partition), now, limit, kind, agentId];
      const next = (value: unknown) => `$${values.push(value)}`;
      const older =
        before && ` AND (occurred_at, seq) < (${next(before.occurredAt)}, ${next(before.seq.toString())}::bigint)`;
      const conditions = (older ?? '') + memoryConditions(filter, values);
      const rows = await statements.query<MemoryRow & { seq: string }>(
        `SELECT ${memoryColumns}, seq FROM memhall.memories
         WHERE tenant_id = $1 AND partition = $2 AND kind = $5 AND agent_id = $6 AND ${alive('$3')}${conditions}
         ORDER BY occurred_at DESC, seq DESC LIMIT $4`,
        values,
      );
      return rows.map(listed);
    },

    insert(memory, form) {
      const { partition } = memory;
      const namespace = partition.kind === 'namespace' ? partition.name : null;
      const values: unknown[] = [tenantId, namespace, partition.kind === 'public'];
      for (const field of fields) values.push(toValue(memory, field));
      addFormValues(form, values);
      statements.enqueue(insertText, values);
    },

    update(memory, form, { keepsVersion = true } = {}) {
      if (keepsVersion) statements.enqueue(keepVersion, [tenantId, memory.id, memory.updatedAt]);
      const values: unknown[] = [tenantId, memory.id];
      for (const field of changingFields) values.push(toValue(memory, field));
      if (form !== null) addFormValues(form, values);
      statements.enqueue(form === null ? updateText : updateWithFormText, values);
    },

    delete(ids) {
      statements.enqueue(deleteMemories('tenant_id = $1 AND id = ANY ($2)'), [tenantId, ids]);
    },

    async deleteMatching(partition, filter, now) {
      const values: unknown[] = [tenantId, partitionKey(partition), now];
      const conditions = memoryConditions(filter, values);
      const rows = await statements.query<{ id: string }>(
        deleteMemories(`tenant_id = $1 AND partition = $2 AND ${alive('$3')}${conditions}`),
        values,
      );
      return rows.map(({ id }) => id);
    },

    deleteUnder(partition, kind, prefix) {
      const values = [tenantId, partitionKey(partition), kind, ...rangeOf(prefix)];
      statements.enqueue(deleteMemories(under), values);
    },

    async deleteSession(partition, sessionId, kind) {
      const rows = await statements.query<{ id: string }>(
        deleteMemories('tenant_id = $1 AND partition = $2 AND session_id = $3 AND kind = $4'),
        [tenantId, partitionKey(partition), sessionId, kind],
      );
      return rows.map(({ id }) => id);
    },

    expired: (limit, now) => select('expires_at <= $2 ORDER BY expires_at LIMIT $3', [now, limit]),

    async outdated(form, { after, limit }) {
      const rows = await statements.query<
        MemoryRow & { seq: string; is_embedded: boolean; is_analysed: boolean; analysis: string }
      >(
        `SELECT ${memoryColumns}, seq, analysis, $2::text IS NULL OR embedding_model IS NOT DISTINCT FROM $2 AS is_embedded,
                analysis = $3 AS is_analysed
         FROM memhall.memories WHERE tenant_id = $1 AND ${outdated} AND seq > $4 ORDER BY seq LIMIT $5`,
        [tenantId, form.model, form.analysis, after.toString(), limit],
      );
      return rows.map((row) => ({
        memory: fromRow(row),
        seq: BigInt(row.seq),
        isEmbedded: row.is_embedded,
        isAnalysed: row.is_analysed,
        analysis: row.analysis,
      }));
    },

    async countAll() {
      const [row] = await statements.query<{ count: string }>(
        'SELECT count(*) AS count FROM memhall.memories WHERE tenant_id = $1',
        [tenantId],
      );
      return Number(row?.count ?? 0);
    },

    async countOutdated(form) {
      const rows = await statements.query<{ count: string; oldest: Date | null }>(
        `SELECT count(*) AS count, min(updated_at) AS oldest FROM memhall.memories WHERE tenant_id = $1 AND ${outdated}`,
        [tenantId, form.model, form.analysis],
      );
      return { count: Number(rows[0]?.count ?? 0), oldest: rows[0]?.oldest ?? null };
    },

    async withoutOrigin({ after, limit }) {
      const rows = await statements.query<MemoryRow & { seq: string }>(
        `SELECT ${memoryColumns}, seq FROM memhall.memories
         WHERE tenant_id = $1 AND recorded_at IS NULL AND seq > $2 ORDER BY seq LIMIT $3`,
        [tenantId, after.toString(), limit],
      );
      return rows.map(listed);
    },

    async countWithoutOrigin() {
      const [row] = await statements.query<{ count: string }>(
        'SELECT count(*) AS count FROM memhall.memories WHERE tenant_id = $1 AND recorded_at IS NULL',
        [tenantId],
      );
      return Number(row?.count ?? 0);
    },

    // A new revision, because the index of large partitions drops every row that is updated and adds new revisions.
    fillOrigin(id, { surface, author, trust }, recordedAt) {
      statements.enqueue(
        updateMemories('surface = $3, author = $4, trust = $5, recorded_at = $6', {
          condition: `${withId} AND recorded_at IS NULL`,
        }),
        [tenantId, id, surface, author, trust, recordedAt],
      );
    },

    setForm(id, contentHash, form, at) {
      const values: unknown[] = [tenantId, id, contentHash];
      addFormValues(form, values);
      values.push(at);
      statements.enqueue(
        updateMemories(
          `analysis = $4, terms = $5, term_count = $6, traits = $7,
           embedding_model = coalesce($8, m.embedding_model), embedding = coalesce($9, m.embedding),
           embedded_at = CASE WHEN $8 IS NULL OR m.embedding IS NOT NULL THEN m.embedded_at ELSE $10::timestamptz END`,
          { condition: `${withId} AND content_hash = $3` },
        ),
        values,
      );
    },
  };
}

/** Returns the range of texts that start with `prefix`. */
export function rangeOf(prefix: string): [from: string, to: string] {
  const last = prefix.length - 1;
  return [prefix, prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1)];
}

/** The driver would send an array as an array of the database, so JSON goes out as text. */
function toValue(memory: Memory, field: Field): unknown {
  const value = memory[field];
  if (field !== 'metadata' && field !== 'propagation') return value;
  return value === null ? null : JSON.stringify(value);
}

/** In the order of `formColumns`. */
function addFormValues({ analysis, terms, termCount, traits, embedding }: SearchForm, values: unknown[]): void {
  const vector = embedding === null ? null : toHalfvec(embedding.vector);
  values.push(analysis, Buffer.from(terms), termCount, traits, embedding?.model ?? null, vector);
}

/** Written out because every row that is read passes here: a loop over the fields takes more than 40 times as long. */
export function fromRow(row: MemoryRow): Memory {
  const partition = toPartition(row);
  const { surface, author, trust } = originOf(row, partition);
  return {
    id: row.id,
    userId: row.user_id,
    partition,
    kind: row.kind,
    content: row.content,
    cue: row.cue,
    contentHash: row.content_hash,
    externalId: row.external_id,
    uniqueContent: row.unique_content,
    tags: row.tags,
    source: row.source,
    sessionId: row.session_id,
    planId: row.plan_id,
    agentId: row.agent_id,
    role: row.role,
    isPinned: row.is_pinned,
    expiresAt: row.expires_at,
    occurredAt: row.occurred_at,
    metadata: row.metadata,
    propagation: row.propagation,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    surface,
    author,
    trust,
    recordedAt: row.recorded_at ?? row.created_at,
  };
}

function originOf(row: MemoryRow, partition: Partition): MemoryOrigin {
  const { surface, author, trust } = row;
  if (surface !== null && author !== null && trust !== null) return { surface, author, trust };
  const { user_id: userId, session_id: sessionId, agent_id: agentId, kind, role, source, propagation } = row;
  return assumedOrigin({ kind, userId, partition, role, source, sessionId, agentId, propagation });
}

function listed(row: MemoryRow & { seq: string }) {
  return { memory: fromRow(row), seq: BigInt(row.seq) };
}

function toPartition(row: Pick<MemoryRow, 'namespace' | 'is_public' | 'user_id'>): Partition {
  if (row.namespace !== null) return { kind: 'namespace', name: row.namespace };
  return row.is_public ? { kind: 'public' } : { kind: 'user', userId: row.user_id };
}
