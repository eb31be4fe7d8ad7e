import type { Json } from '@memhall/core';
import { type Memories, type Memory, type Partition, partitionKey, type SearchForm } from '../../ports/memories.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { toHalfvec } from './half-precision.js';
import { memoryConditions } from './memory-conditions.js';

export interface MemoryRow {
  id: string;
  user_id: string;
  namespace: string | null;
  is_public: boolean;
  kind: string;
  content: string;
  cue: string | null;
  content_hash: string;
  external_id: string | null;
  unique_content: boolean;
  tags: string[];
  source: string | null;
  session_id: string | null;
  plan_id: string | null;
  agent_id: string | null;
  role: string | null;
  is_pinned: boolean;
  expires_at: Date | null;
  occurred_at: Date;
  metadata: { [key: string]: Json };
  propagation: Json | null;
  created_at: Date;
  updated_at: Date;
}

export const memoryColumns = `id, user_id, namespace, is_public, kind, content, cue, content_hash, external_id, unique_content, tags, source,
  session_id, plan_id, agent_id, role, is_pinned, expires_at, occurred_at, metadata, propagation, created_at, updated_at`;

/** True for memories that can be recalled at `$n`: neither the memory nor its namespace has expired. */
const alive = (now: string) => `(expires_at IS NULL OR expires_at > ${now})
  AND (namespace IS NULL OR NOT EXISTS (SELECT FROM memhall.namespaces AS n
       WHERE n.tenant_id = memories.tenant_id AND n.name = memories.namespace AND n.expires_at <= ${now}))`;

const outdated = '(analysis <> $3 OR ($2::text IS NOT NULL AND embedding_model IS DISTINCT FROM $2))';

export function postgresMemories(statements: Statements, { tenantId }: TransactionScope): Memories {
  const select = async (condition: string, values: unknown[]) => {
    const text = `SELECT ${memoryColumns} FROM memhall.memories WHERE tenant_id = $1 AND ${condition}`;
    return (await statements.query<MemoryRow>(text, [tenantId, ...values])).map(fromRow);
  };
  return {
    lock(partition) {
      const key = `${tenantId}\n${partitionKey(partition)}`;
      statements.enqueue('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [key]);
    },

    getMany: (ids, now) => select(`id = ANY ($2) AND ${alive('$3')}`, [ids, now]),

    findStored: (ids) => select('id = ANY ($2)', [ids]),

    findByExternalId: (partition, kind, externalIds) =>
      select('partition = $2 AND kind = $3 AND external_id = ANY ($4)', [partitionKey(partition), kind, externalIds]),

    findByContent: (partition, kind, hashes) =>
      select('partition = $2 AND kind = $3 AND unique_content AND content_hash = ANY ($4)', [
        partitionKey(partition),
        kind,
        hashes,
      ]),

    async list(partitions, filter, { before, limit, now }) {
      const values: unknown[] = [tenantId, partitions.map(partitionKey), now, limit, before?.toString() ?? null];
      const conditions = memoryConditions(filter, values);
      const rows = await statements.query<MemoryRow & { seq: string }>(
        `SELECT page.* FROM unnest($2::text[]) AS wanted CROSS JOIN LATERAL (
           SELECT ${memoryColumns}, seq FROM memhall.memories
           WHERE tenant_id = $1 AND partition = wanted AND ($5::bigint IS NULL OR seq < $5) AND ${alive('$3')}${conditions}
           ORDER BY seq DESC LIMIT $4) AS page
         ORDER BY seq DESC LIMIT $4`,
        values,
      );
      return rows.map((row) => ({ memory: fromRow(row), seq: BigInt(row.seq) }));
    },

    async arrivedAfter(partition, filter, { after, limit, now }) {
      const values: unknown[] = [tenantId, partitionKey(partition), now, limit, after.toString()];
      const conditions = memoryConditions(filter, values);
      const rows = await statements.query<MemoryRow & { seq: string }>(
        `SELECT ${memoryColumns}, seq FROM memhall.memories
         WHERE tenant_id = $1 AND partition = $2 AND seq > $5 AND ${alive('$3')}${conditions} ORDER BY seq LIMIT $4`,
        values,
      );
      return rows.map((row) => ({ memory: fromRow(row), seq: BigInt(row.seq) }));
    },

    async recent(partition, { kind, agentId, ...filter }, { limit, now }) {
      const values: unknown[] = [tenantId, partitionKey(partition), now, limit, kind, agentId];
      const conditions = memoryConditions(filter, values);
      const rows = await statements.query<MemoryRow>(
        `SELECT ${memoryColumns} FROM memhall.memories
         WHERE tenant_id = $1 AND partition = $2 AND kind = $5 AND agent_id = $6 AND ${alive('$3')}${conditions}
         ORDER BY occurred_at DESC, seq DESC LIMIT $4`,
        values,
      );
      return rows.map(fromRow);
    },

    insert(memory, form) {
      statements.enqueue(
        `INSERT INTO memhall.memories (tenant_id, ${memoryColumns}, analysis, terms, term_count, traits, embedding_model, embedding)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
                 $24, $25, $26, $27, $28, $29, $30)`,
        [tenantId, ...toColumns(memory), ...toFormColumns(form)],
      );
    },

    update(memory, form) {
      const [id, , , , kind, ...rest] = toColumns(memory);
      const formColumns =
        ', analysis = $22, terms = $23, term_count = $24, traits = $25, embedding_model = $26, embedding = $27';
      statements.enqueue(
        `UPDATE memhall.memories SET kind = $3, content = $4, cue = $5, content_hash = $6, external_id = $7,
           unique_content = $8, tags = $9, source = $10, session_id = $11, plan_id = $12, agent_id = $13, role = $14,
           is_pinned = $15, expires_at = $16, occurred_at = $17, metadata = $18, propagation = $19, created_at = $20,
           updated_at = $21, revision = nextval('memhall.memory_revision')${form === null ? '' : formColumns}
         WHERE tenant_id = $1 AND id = $2`,
        [tenantId, id, kind, ...rest, ...(form === null ? [] : toFormColumns(form))],
      );
    },

    delete(ids) {
      statements.enqueue('DELETE FROM memhall.memories WHERE tenant_id = $1 AND id = ANY ($2)', [tenantId, ids]);
    },

    deleteSession(partition, sessionId, kind) {
      statements.enqueue(
        'DELETE FROM memhall.memories WHERE tenant_id = $1 AND partition = $2 AND session_id = $3 AND kind = $4',
        [tenantId, partitionKey(partition), sessionId, kind],
      );
    },

    expired: (limit, now) => select('expires_at <= $2 ORDER BY expires_at LIMIT $3', [now, limit]),

    async outdated(form, { after, limit }) {
      const rows = await statements.query<MemoryRow & { seq: string; is_embedded: boolean; is_analysed: boolean }>(
        `SELECT ${memoryColumns}, seq, $2::text IS NULL OR embedding_model IS NOT DISTINCT FROM $2 AS is_embedded,
                analysis = $3 AS is_analysed
         FROM memhall.memories WHERE tenant_id = $1 AND ${outdated} AND seq > $4 ORDER BY seq LIMIT $5`,
        [tenantId, form.model, form.analysis, after.toString(), limit],
      );
      return rows.map((row) => ({
        memory: fromRow(row),
        seq: BigInt(row.seq),
        isEmbedded: row.is_embedded,
        isAnalysed: row.is_analysed,
      }));
    },

    async countOutdated(form) {
      const rows = await statements.query<{ count: string; oldest: Date | null }>(
        `SELECT count(*) AS count, min(updated_at) AS oldest FROM memhall.memories WHERE tenant_id = $1 AND ${outdated}`,
        [tenantId, form.model, form.analysis],
      );
      return { count: Number(rows[0]?.count ?? 0), oldest: rows[0]?.oldest ?? null };
    },

    setForm(id, contentHash, form) {
      statements.enqueue(
        `UPDATE memhall.memories SET analysis = $4, terms = $5, term_count = $6, traits = $7,
           embedding_model = coalesce($8, embedding_model), embedding = coalesce($9, embedding),
           revision = nextval('memhall.memory_revision')
         WHERE tenant_id = $1 AND id = $2 AND content_hash = $3`,
        [tenantId, id, contentHash, ...toFormColumns(form)],
      );
    },
  };
}

function toColumns(memory: Memory): unknown[] {
  const { partition } = memory;
  return [
    memory.id,
    memory.userId,
    partition.kind === 'namespace' ? partition.name : null,
    partition.kind === 'public',
    memory.kind,
    memory.content,
    memory.cue,
    memory.contentHash,
    memory.externalId,
    memory.uniqueContent,
    memory.tags,
    memory.source,
    memory.sessionId,
    memory.planId,
    memory.agentId,
    memory.role,
    memory.isPinned,
    memory.expiresAt,
    memory.occurredAt,
    JSON.stringify(memory.metadata),
    memory.propagation === null ? null : JSON.stringify(memory.propagation),
    memory.createdAt,
    memory.updatedAt,
  ];
}

function toFormColumns({ analysis, terms, termCount, traits, embedding }: SearchForm): unknown[] {
  const vector = embedding === null ? null : toHalfvec(embedding.vector);
  return [analysis, Buffer.from(terms), termCount, traits, embedding?.model ?? null, vector];
}

export function fromRow(row: MemoryRow): Memory {
  return {
    id: row.id,
    userId: row.user_id,
    partition: toPartition(row),
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
  };
}

function toPartition(row: Pick<MemoryRow, 'namespace' | 'is_public' | 'user_id'>): Partition {
  if (row.namespace !== null) return { kind: 'namespace', name: row.namespace };
  return row.is_public ? { kind: 'public' } : { kind: 'user', userId: row.user_id };
}
