import type { CandidateRows, LargePartitions, Narrowing, WordQuery } from '../../../ports/large-partitions.js';
import type { MemoryFilter, Partition } from '../../../ports/memories.js';
import type { Scope } from '../../../ports/store.js';
import type { Engine } from '../../engine.js';
import { Segment } from '../index/segment.js';
import type { QueryPlan } from './query-plan.js';
import type { ScopePart } from './scan.js';

/** A filter that leaves at most so many is answered exactly: all of them are ranked. */
const fewMemories = 2000;
/** Candidates of each arm, and further ones from the times that the query names; more when more results are wanted. */
const candidatesPerArm = 300;
/** Words are looked up rarest first, as long as they lead to at most so many memories together. */
const maxPostings = 200_000;
/** So many memories outside the index make recall slow. */
const indexSoon = 1000;

/** A partition that is not in memory, as far as it is known before the query is embedded. */
export interface LargePart {
  partition: Partition;
  part: ScopePart;
  /** All rows that take part are there: nothing is left to be found. */
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
}

/** Statistics of a large partition or, where a filter leaves few of its memories, those themselves. */
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

/** The rows that may be among the best, before the background of all of them. */
export function findCandidates(engine: Engine, scope: Scope, large: LargePart, query: LargeQuery): Promise<ScopePart> {
  const { partition, part, isWhole, narrowing, centroid } = large;
  const { background } = part;
  if (isWhole || background === undefined) return Promise.resolve(part);
  return engine.store.read(scope, async ({ largePartitions }) => {
    const seqs = await findSeqs(engine, largePartitions, large, query);
    const model = query.vector === undefined ? null : engine.segments.model;
    const rows = await largePartitions.rows(partition, seqs, narrowing, { model, query: query.vector });
    const meanCosine = query.vector === undefined || centroid === null ? 0 : dot(centroid, query.vector);
    return { ...toPart(rows, 0), background: { ...background, meanCosine } };
  });
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
 * The words by which candidates are looked up. Very common ones lead nowhere in particular: candidates are weighed by them all
 * the same once they are found. Enough words are taken to lead to as many memories as are wanted.
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
