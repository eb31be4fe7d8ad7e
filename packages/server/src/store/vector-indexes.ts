import { createHash } from 'node:crypto';
import { escapeIdentifier, escapeLiteral, type Pool, type PoolClient } from 'pg';
import type { VectorIndex } from '../ports/large-partitions.js';
import { partitionKey } from '../ports/memories.js';

const prefix = 'memories_vectors_';
/** Any constant, as long as it is the same in every version of Memhall. */
const advisoryLock = 0x6d656d69;
/** pgvector indexes halves up to this dimension; longer vectors are compared one by one. */
const maxDimension = 4000;
/** Building an index that does not fit into this memory takes many times as long. */
const buildMemory = '1GB';

/**
 * Maintains one index per large partition, built and dropped without blocking writers. Memories of small partitions are
 * in none of them. Session settings are changed, so the connection is closed afterwards; the pool must not be one of sessions that
 * others use too.
 */
export async function arrangeVectorIndexes(
  pool: Pool,
  wanted: readonly VectorIndex[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const possible = new Map(
    wanted.filter(({ model }) => model.dimension <= maxDimension).map((index) => [nameOf(index), index]),
  );
  const client = await pool.connect();
  const { rows } = await client.query<{ free: boolean; process: number }>(
    `SELECT pg_try_advisory_lock(${advisoryLock}) AS free, pg_backend_pid() AS process`,
  );
  // A cancelled build leaves an invalid index, which is dropped next time.
  const cancel = () => void pool.query('SELECT pg_cancel_backend($1)', [rows[0]?.process]).catch(() => undefined);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    if (rows[0]?.free) await arrange(client, possible, signal);
  } finally {
    signal?.removeEventListener('abort', cancel);
    client.release(true);
  }
}

async function arrange(
  client: PoolClient,
  wanted: ReadonlyMap<string, VectorIndex>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { rows: present } = await client.query<{ name: string; valid: boolean }>(
    `SELECT relname AS name, indisvalid AS valid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE indrelid = 'memhall.memories'::regclass AND starts_with(relname, '${prefix}')`,
  );
  const unwanted = present.filter(({ name, valid }) => !valid || !wanted.has(name));
  const known = new Set(present.filter(({ valid }) => valid).map(({ name }) => name));
  const missing = [...wanted].filter(([name]) => !known.has(name));
  if (unwanted.length === 0 && missing.length === 0) return;
  await client.query(`SET statement_timeout = 0; SET maintenance_work_mem = '${buildMemory}'`);
  const changes = [
    ...unwanted.map(({ name }) => `DROP INDEX CONCURRENTLY IF EXISTS memhall.${escapeIdentifier(name)}`),
    ...missing.flatMap(([name, index]) => [
      creationOf(name, index),
      // Otherwise the database keeps a sample of the vectors for its planner.
      `ALTER INDEX memhall.${escapeIdentifier(name)} ALTER COLUMN 1 SET STATISTICS 0`,
    ]),
  ];
  for (const change of changes) {
    signal?.throwIfAborted();
    await client.query(change);
  }
}

function nameOf({ tenantId, partition, model }: VectorIndex): string {
  const key = JSON.stringify([tenantId, partitionKey(partition), model.name, model.dimension]);
  return `${prefix}${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
}

function creationOf(name: string, { tenantId, partition, model }: VectorIndex): string {
  return `CREATE INDEX CONCURRENTLY ${escapeIdentifier(name)} ON memhall.memories
    USING hnsw ((embedding::halfvec(${model.dimension})) halfvec_cosine_ops)
    WHERE tenant_id = ${escapeLiteral(tenantId)} AND partition = ${escapeLiteral(partitionKey(partition))}
      AND embedding_model = ${escapeLiteral(model.name)}`;
}
