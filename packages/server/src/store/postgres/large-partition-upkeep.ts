import type { LargePartition, LargePartitions } from '../../ports/large-partitions.js';
import { partitionFromKey, partitionKey } from '../../ports/memories.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { toHalfvec } from './half-precision.js';
import { type ColumnsRow, indexColumns, toIndexRows } from './index-columns.js';

type Upkeep = Pick<LargePartitions, 'index' | 'progress' | 'sample' | 'setCentroid' | 'drop'>;

export interface LargePartitionRow {
  tenant_id: string;
  partition: string;
  memory_count: string;
  is_ready: boolean;
  centroid_model: string | null;
  centroid_count: string;
}

export const largePartitionColumns = 'tenant_id, partition, memory_count, is_ready, centroid_model, centroid_count';

/**
 * Adds the words of the next memories in order of revision. Memories with a revision up to `indexed_up_to` are in the
 * index; later ones are not.
 */
const indexNext = `
  WITH state AS (
    SELECT indexed_up_to FROM memhall.large_partitions WHERE tenant_id = $1 AND partition = $2),
  added AS MATERIALIZED (
    SELECT seq, revision, terms, term_count FROM memhall.memories
    WHERE tenant_id = $1 AND partition = $2 AND revision > (SELECT indexed_up_to FROM state) ORDER BY revision LIMIT $3),
  entries AS MATERIALIZED (
    SELECT unpacked.term, added.seq, unpacked.occurrences, added.term_count
    FROM added CROSS JOIN LATERAL memhall.unpack_terms(added.terms) AS unpacked),
  posted AS (
    INSERT INTO memhall.memory_postings (tenant_id, partition, term, seq, occurrences, term_count)
    SELECT $1, $2, term, seq, occurrences, term_count FROM entries ORDER BY term, seq),
  counted AS (
    INSERT INTO memhall.memory_terms AS known (tenant_id, partition, term, memory_count)
    SELECT $1, $2, term, count(*) FROM entries GROUP BY term ORDER BY term
    ON CONFLICT (tenant_id, partition, term) DO UPDATE SET memory_count = known.memory_count + excluded.memory_count)
  UPDATE memhall.large_partitions AS large SET
    indexed_up_to = coalesce((SELECT max(revision) FROM added), large.indexed_up_to),
    memory_count = large.memory_count + (SELECT count(*) FROM added),
    term_count = large.term_count + (SELECT coalesce(sum(added.term_count), 0) FROM added),
    is_ready = large.is_ready OR (SELECT count(*) FROM added) < $3
  WHERE tenant_id = $1 AND partition = $2
  RETURNING (SELECT count(*)::int FROM added) AS added`;

export function largePartitionUpkeep(statements: Statements, { tenantId }: TransactionScope): Upkeep {
  return {
    async index(partition, limit) {
      const place = [tenantId, partitionKey(partition)];
      statements.enqueue(
        'INSERT INTO memhall.large_partitions (tenant_id, partition) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        place,
      );
      const rows = await statements.query<{ added: number }>(indexNext, [...place, limit]);
      return rows[0]?.added ?? 0;
    },

    async progress(partition) {
      const [row] = await statements.query<LargePartitionRow>(
        `SELECT ${largePartitionColumns} FROM memhall.large_partitions WHERE tenant_id = $1 AND partition = $2`,
        [tenantId, partitionKey(partition)],
      );
      return row && toLargePartition(row);
    },

    async sample(partition, limit, model) {
      const [row] = await statements.query<ColumnsRow>(
        `WITH numbered AS (
           SELECT seq, row_number() OVER (ORDER BY seq) AS place, count(*) OVER () AS total
           FROM memhall.memories WHERE tenant_id = $1 AND partition = $2),
         picked AS MATERIALIZED (SELECT seq FROM numbered WHERE place % greatest(1, total / $3::int) = 0)
         SELECT ${indexColumns('$4')} FROM (
           SELECT memory.* FROM picked JOIN memhall.memories AS memory
             ON memory.tenant_id = $1 AND memory.partition = $2 AND memory.seq = picked.seq
           WHERE embedding_model = $4 ORDER BY memory.revision) AS sampled`,
        [tenantId, partitionKey(partition), limit, model.name],
      );
      if (row === undefined) throw new Error('an aggregate returned no row');
      return toIndexRows(row, model.dimension);
    },

    setCentroid(partition, { model, vector, count }) {
      statements.enqueue(
        `UPDATE memhall.large_partitions SET centroid_model = $3, centroid = $4, centroid_count = $5
         WHERE tenant_id = $1 AND partition = $2`,
        [tenantId, partitionKey(partition), model, toHalfvec(vector), count],
      );
    },

    drop: (partition) => dropIndex(statements, [tenantId, partitionKey(partition)]),
  };
}

/** Removes the index of a large partition. Queued. */
export function dropIndex(statements: Statements, place: [tenantId: string, partition: string]): void {
  for (const table of ['memory_postings', 'memory_terms', 'large_partitions']) {
    statements.enqueue(`DELETE FROM memhall.${table} WHERE tenant_id = $1 AND partition = $2`, place);
  }
}

export function toLargePartition(row: LargePartitionRow): LargePartition {
  return {
    tenantId: row.tenant_id,
    partition: partitionFromKey(row.partition),
    count: Number(row.memory_count),
    isReady: row.is_ready,
    centroid: row.centroid_model === null ? null : { model: row.centroid_model, count: Number(row.centroid_count) },
  };
}
