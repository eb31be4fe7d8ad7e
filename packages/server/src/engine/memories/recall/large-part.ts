import type { CandidateRows, LargePartitions, Narrowing, WordQuery } from '../../../ports/large-partitions.js';
import { type MemoryFilter, type Partition, partitionKey } from '../../../ports/memories.js';
import type { Scope } from '../../../ports/store.js';
import type { Engine } from '../../engine.js';
import { Segment } from '../index/segment.js';
import type { QueryPlan } from './query-plan.js';
import type { ScopePart } from './scan.js';

/** If a filter leaves at most this many memories, all of them are ranked, so the result is exact. */
const fewMemories = 2000;
/** Candidates per arm, and again within the times that the query names; more if more results are wanted. */
const candidatesPerArm = 300;
/** Words are looked up rarest first, as long as they match at most this many memories in total. */
const maxPostings = 200_000;
/** This many memories outside the index make recall slow. */
const indexSoon = 1000;

/** The part of a partition outside memory that is known before the query is embedded. */
export interface LargePart {
  partition: Partition;
  part: ScopePart;
  /** Whether all matching rows are present, so that nothing is left to find. */
  isWhole: boolean;
  narrowing: Narrowing;
  centroid: Float32Array | null;
}

interface LargeQuery {
  plan: QueryPlan | undefined;
  averageTerms: number;
  vector: Float32Array | undefined;
  limit: number;
  pinnedFirst: boolean;
  /** A row to add to the candidates if it is in the partition. */
  watched: { partition: Partition; seq: number } | undefined;
}

/** Reads the statistics of a large partition or, if a filter leaves few of its memories, those memories. */
export function openLargePart(
  engine: Engine,
  scope: Scope,
  partition: Partition,
  { hashes, filter, now }: { hashes: readonly number[]; filter: MemoryFilter; now: number },
): Promise<LargePart> {
  const { model } = engine.segments;
  const narrowing: Narrowing = { filter, now: new Date(now) };
  const isFiltered = Object.values(filter).some((condition) => condition !== undefined);
  return engine.store.read(scope, async ({ largePartitions }) => {
    const few = isFiltered ? await largePartitions.few(partition, narrowing, fewMemories) : undefined;
    if (few !== undefined) {
      const rows = await largePartitions.rows(partition, few, narrowing, { model, query: undefined });
      const part = toPart(rows, model?.dimension ?? 0);
      return { partition, part, isWhole: true, narrowing, centroid: null };
    }
    const { unindexed, centroid, ...known } = await largePartitions.statistics(partition, hashes, model);
    if (unindexed > indexSoon) engine.onLargePartition(scope.tenantId, partition);
    const part = { segment: new Segment(0), background: { ...known, meanCosine: 0 } };
    return { partition, part, isWhole: false, narrowing, centroid };
  });
}

/** Finds the rows that may be among the best, together with the statistics of the whole partition. */
export function findCandidates(engine: Engine, scope: Scope, large: LargePart, query: LargeQuery): Promise<ScopePart> {
  const { partition, part, isWhole, narrowing, centroid } = large;
  const { background } = part;
  if (isWhole || background === undefined) return Promise.resolve(part);
  return engine.store.read(scope, async ({ largePartitions }) => {
    const proposed = await findSeqs(engine, largePartitions, large, query);
    const added = unproposed(partition, query, proposed);
    const model = query.vector === undefined ? null : engine.segments.model;
    const seqs = added === undefined ? proposed : [...proposed, added];
    const rows = await largePartitions.rows(partition, seqs, narrowing, { model, query: query.vector });
    const meanCosine = query.vector === undefined || centroid === null ? 0 : dot(centroid, query.vector);
    return { ...toPart(rows, 0), background: { ...background, meanCosine }, unproposed: added };
  });
}

/** Returns the watched row if it is in the partition and not among the candidates. */
function unproposed(partition: Partition, { watched }: LargeQuery, proposed: readonly number[]): number | undefined {
  const isHere = watched !== undefined && partitionKey(watched.partition) === partitionKey(partition);
  return isHere && !proposed.includes(watched.seq) ? watched.seq : undefined;
}

async function findSeqs(
  engine: Engine,
  partitions: LargePartitions,
  { partition, part, narrowing }: LargePart,
  { plan, averageTerms, vector, limit, pinnedFirst }: LargeQuery,
): Promise<number[]> {
  const { model } = engine.segments;
  const wanted = Math.max(candidatesPerArm, 2 * limit);
  const frequencies = part.background?.frequencies ?? new Map<number, number>();
  const terms = plan === undefined ? [] : leadingTerms(plan, frequencies, wanted);
  const { k1, b } = engine.recallWeights;
  const words: WordQuery = { terms, averageTerms, k1, b };
  const within = plan?.spans.map(({ from, to }) => ({ from: new Date(from), to: new Date(to) }));
  const narrowings = [
    narrowing,
    ...(within === undefined || within.length === 0 ? [] : [{ ...narrowing, within }]),
    ...(pinnedFirst ? [{ ...narrowing, filter: { ...narrowing.filter, isPinned: true } }] : []),
  ];
  const found = await Promise.all(
    narrowings.flatMap((one) => [
      terms.length === 0 ? [] : partitions.findByWords(partition, words, one, wanted),
      vector === undefined || model === null ? [] : partitions.findByVector(partition, { vector, model }, one, wanted),
    ]),
  );
  return [...new Set(found.flat())];
}

type WeighedTerm = WordQuery['terms'][number];

/**
 * Selects the words by which candidates are looked up. Very common words are left out, because they do not narrow the
 * search; they still count when candidates are scored. Enough words are selected to reach the wanted number of
 * memories.
 */
function leadingTerms(
  { weights, labels }: Pick<QueryPlan, 'weights' | 'labels'>,
  frequencies: ReadonlyMap<number, number>,
  wanted: number,
): WeighedTerm[] {
  const known = [...weights]
    .map(([hash, weight]) => ({ hash, weight, isLabel: labels.has(hash), count: frequencies.get(hash) ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count);
  let postings = 0;
  return known.filter(({ count }) => {
    if (postings >= wanted && postings + count > maxPostings) return false;
    postings += count;
    return true;
  });
}

function toPart({ rows, fits, cosines, previous, next }: CandidateRows, dimension: number): ScopePart {
  const segment = new Segment(dimension);
  segment.apply({ rows, removed: [], upTo: 0, complete: true });
  segment.setNeighbours(previous, next);
  return { segment, cosines, test: (_, slot) => fits[slot] === 1 };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
