import type { CandidateRows, LargePartitions, Narrowing, PartitionStatistics } from '../../ports/large-partitions.js';
import { partitionKey } from '../../ports/memories.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { bit, together } from './binary-columns.js';
import { readHalves, toHalfvec } from './half-precision.js';
import { type ColumnsRow, indexColumns, toIndexRows } from './index-columns.js';
import { memoryConditions } from './memory-conditions.js';

type Search = Pick<LargePartitions, 'isIndexed' | 'statistics' | 'few' | 'findByWords' | 'findByVector' | 'rows'>;

/** Number of elements a vector index visits per search, and the maximum if a filter rejects many of them. */
const vectorEffort = 400;
const maxVectorEffort = 40_000;
/** Enough to group postings in memory. */
const workMemory = '64MB';

const indexedUpTo = `(SELECT coalesce(max(indexed_up_to), 0) FROM memhall.large_partitions WHERE tenant_id = $1 AND partition = $2)`;

/** Plans must be made for the actual values: indexes of single partitions are useless for generic plans. */
const planForValues = { plan_cache_mode: 'force_custom_plan', work_mem: workMemory };
/** With sorting disabled, the nearest rows come from the vector index if there is one. */
const preferVectorIndex = { enable_sort: 'off', 'hnsw.ef_search': String(vectorEffort) };
/** Older versions of pgvector stop after the first pass, so a filter may leave few results. */
const continueWhileFiltering = {
  'hnsw.iterative_scan': 'relaxed_order',
  'hnsw.max_scan_tuples': String(maxVectorEffort),
};
const canContinue = `SELECT string_to_array(extversion, '.')::int[] >= '{0,8}' AS yes FROM pg_extension WHERE extname = 'vector'`;

export function largePartitionSearch(statements: Statements, { tenantId }: TransactionScope): Search {
  return {
    async isIndexed(partition) {
      const [row] = await statements.query<{ indexed: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM memhall.large_partitions
         WHERE tenant_id = $1 AND partition = $2 AND is_ready) AS indexed`,
        [tenantId, partitionKey(partition)],
      );
      return row?.indexed ?? false;
    },

    async statistics(partition, hashes, model): Promise<PartitionStatistics> {
      const place = [tenantId, partitionKey(partition)];
      const terms = hashes.map(toTerm);
      const [known, later, frequencies, laterFrequencies] = await Promise.all([
        statements.query<{ memory_count: string; term_count: string; centroid: Buffer | null }>(
          `SELECT memory_count, term_count,
                  CASE WHEN centroid_model = $3 THEN substr(halfvec_send(centroid), 5) END AS centroid
           FROM memhall.large_partitions WHERE tenant_id = $1 AND partition = $2`,
          [...place, model?.name ?? null],
        ),
        statements.query<{ count: string; terms: string }>(
          `SELECT count(*) AS count, coalesce(sum(term_count), 0) AS terms FROM memhall.memories
           WHERE tenant_id = $1 AND partition = $2 AND revision > ${indexedUpTo}`,
          place,
        ),
        statements.query<{ term: number; count: number }>(
          `SELECT term, memory_count AS count FROM memhall.memory_terms
           WHERE tenant_id = $1 AND partition = $2 AND term = ANY ($3::int[])`,
          [...place, terms],
        ),
        statements.query<{ term: number; count: string }>(
          `SELECT wanted.term, count(*) AS count
           FROM memhall.memories CROSS JOIN unnest($3::int[], $4::bytea[]) AS wanted (term, bytes)
           WHERE tenant_id = $1 AND partition = $2 AND revision > ${indexedUpTo} AND position(wanted.bytes IN terms) > 0
           GROUP BY wanted.term`,
          [...place, terms, hashes.map(toBytes)],
        ),
      ]);
      const counts = new Map<number, number>();
      for (const { term, count } of [...frequencies, ...laterFrequencies])
        counts.set(term >>> 0, (counts.get(term >>> 0) ?? 0) + Number(count));
      const unindexed = Number(later[0]?.count ?? 0);
      return {
        count: Number(known[0]?.memory_count ?? 0) + unindexed,
        totalTerms: Number(known[0]?.term_count ?? 0) + Number(later[0]?.terms ?? 0),
        frequencies: counts,
        centroid: known[0]?.centroid ? readHalves(known[0].centroid) : null,
        unindexed,
      };
    },

    async few(partition, narrowing, limit) {
      const values: unknown[] = [tenantId, partitionKey(partition), limit + 1];
      const rows = await statements.query<{ seq: string }>(
        `SELECT seq FROM memhall.memories
         WHERE tenant_id = $1 AND partition = $2 AND ${conditionsOf(narrowing, values)} LIMIT $3`,
        values,
      );
      return rows.length > limit ? undefined : rows.map(({ seq }) => Number(seq));
    },

    async findByWords(partition, { terms, averageTerms, k1, b }, narrowing, limit) {
      const values: unknown[] = [
        tenantId,
        partitionKey(partition),
        terms.map(({ hash }) => toTerm(hash)),
        terms.map(({ hash }) => toBytes(hash)),
        terms.map(({ weight }) => weight),
        terms.map(({ isLabel }) => isLabel),
        k1,
        b,
        Math.max(1, averageTerms),
        limit,
      ];
      const fits = conditionsOf(narrowing, values);
      const score = (count: string) =>
        `wanted.weight * CASE WHEN wanted.is_label THEN 1
           ELSE ${count} * ($7::float8 + 1) / (${count} + $7 * (1 - $8::float8 + $8 * term_count / $9::float8)) END`;
      statements.set(planForValues);
      const rows = await statements.query<{ seq: string }>(
        `WITH wanted AS MATERIALIZED (
           SELECT * FROM unnest($3::int[], $4::bytea[], $5::float8[], $6::boolean[]) AS wanted (term, bytes, weight, is_label)),
         best AS MATERIALIZED (
           SELECT seq, sum(score) AS score FROM (
             SELECT seq, ${score('occurrences')} AS score
             FROM wanted JOIN memhall.memory_postings AS posting
               ON posting.tenant_id = $1 AND posting.partition = $2 AND posting.term = wanted.term
             UNION ALL
             SELECT seq, ${score('get_byte(terms, position(wanted.bytes IN terms) + 3)')}
             FROM memhall.memories CROSS JOIN wanted
             WHERE tenant_id = $1 AND partition = $2 AND revision > ${indexedUpTo} AND position(wanted.bytes IN terms) > 0
           ) AS found GROUP BY seq ORDER BY 2 DESC, seq DESC)
         SELECT best.seq FROM best
         WHERE EXISTS (SELECT 1 FROM memhall.memories AS memory
                       WHERE memory.tenant_id = $1 AND memory.partition = $2 AND memory.seq = best.seq AND ${fits} OFFSET 0)
         LIMIT $10`,
        values,
      );
      return rows.map(({ seq }) => Number(seq));
    },

    async findByVector(partition, { vector, model }, narrowing, limit) {
      const values: unknown[] = [tenantId, partitionKey(partition), model.name, toHalfvec(vector), limit];
      const distance = `embedding::halfvec(${model.dimension}) <=> $4::halfvec(${model.dimension})`;
      const [able] = await statements.query<{ yes: boolean }>(canContinue);
      statements.set({ ...planForValues, ...preferVectorIndex, ...(able?.yes ? continueWhileFiltering : {}) });
      const found = statements.query<{ seq: string }>(
        `SELECT seq FROM memhall.memories
         WHERE tenant_id = $1 AND partition = $2 AND embedding_model = $3 AND ${conditionsOf(narrowing, values)}
         ORDER BY ${distance} LIMIT $5`,
        values,
      );
      statements.set({ enable_sort: 'on' });
      return (await found).map(({ seq }) => Number(seq));
    },

    async rows(partition, seqs, narrowing, { model, query }): Promise<CandidateRows> {
      const place = [tenantId, partitionKey(partition)];
      const chains = await statements.query<{ chain: string[] }>(neighbourChains, [...place, seqs]);
      const { all, previous, next } = linkChains(chains.map(({ chain }) => chain.map(Number)));
      const name = query === undefined ? (model?.name ?? null) : null;
      const values: unknown[] = [...place, [...new Set([...seqs, ...all])], name];
      const fits = conditionsOf(narrowing, values);
      const cosine =
        query === undefined || model === null
          ? `''::bytea`
          : together(
              `float4send(CASE WHEN embedding_model = $${values.push(model.name)}
                 THEN 1 - (embedding <=> $${values.push(toHalfvec(query))}::halfvec) ELSE 'NaN' END::float4)`,
            );
      const [row] = await statements.query<ColumnsRow & { fits: Buffer; cosines: Buffer }>(
        `SELECT ${indexColumns('$4::text')}, ${together(bit('fits'))} AS fits, ${cosine} AS cosines
         FROM (SELECT *, ${fits} AS fits FROM memhall.memories
               WHERE tenant_id = $1 AND partition = $2 AND seq = ANY ($3::bigint[]) ORDER BY revision) AS wanted`,
        values,
      );
      if (row === undefined) throw new Error('an aggregate returned no row');
      return {
        rows: toIndexRows(row, name === null ? 0 : (model?.dimension ?? 0)),
        fits: row.fits,
        cosines: query === undefined ? undefined : readFloats(row.cosines),
        previous,
        next,
      };
    },
  };
}

/** Returns the SQL of all conditions. Expired memories never match. */
function conditionsOf({ filter, within, now }: Narrowing, values: unknown[]): string {
  const alive = `(expires_at IS NULL OR expires_at > $${values.push(now)})`;
  const timely =
    within === undefined
      ? ''
      : ` AND EXISTS (SELECT 1 FROM unnest($${values.push(within.map(({ from }) => from))}::timestamptz[],
            $${values.push(within.map(({ to }) => to))}::timestamptz[]) AS span (since, until)
          WHERE occurred_at >= since AND occurred_at < until)`;
  return `${alive}${timely}${memoryConditions(filter, values)}`;
}

/**
 * Each row between its neighbours in the session, in order. Only rows of the same kind count: notes about a
 * conversation are not turns of it.
 */
const nearby = (comparison: '<' | '>', direction: 'DESC' | 'ASC') => `ARRAY(
    SELECT seq FROM (
      SELECT near.seq, near.occurred_at FROM memhall.memories AS near
      WHERE near.tenant_id = $1 AND near.partition = $2 AND near.session_id = hit.session_id AND near.kind = hit.kind
        AND (near.occurred_at, near.seq) ${comparison} (hit.occurred_at, hit.seq)
      ORDER BY near.occurred_at ${direction}, near.seq ${direction} LIMIT 2) AS nearest
    ORDER BY occurred_at, seq)`;
const neighbourChains = `
  SELECT ${nearby('<', 'DESC')} || hit.seq || ${nearby('>', 'ASC')} AS chain FROM memhall.memories AS hit
  WHERE hit.tenant_id = $1 AND hit.partition = $2 AND hit.seq = ANY ($3::bigint[]) AND hit.session_id IS NOT NULL`;

function linkChains(chains: readonly number[][]) {
  const previous = new Map<number, number>();
  const next = new Map<number, number>();
  for (const chain of chains) {
    for (let place = 1; place < chain.length; place++) {
      const [before, after] = [chain[place - 1] as number, chain[place] as number];
      previous.set(after, before);
      next.set(before, after);
    }
  }
  return { all: chains.flat(), previous, next };
}

/** Hashes are unsigned; PostgreSQL's integers are signed. */
function toTerm(hash: number): number {
  return hash | 0;
}

/** Encodes the hash as in `terms`. */
function toBytes(hash: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(hash);
  return bytes;
}

function readFloats(bytes: Buffer): Float32Array {
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatBE(4 * index));
}
