import { describeFault, Problem } from '@memhall/core';
import { type MemoryFilter, type Partition, partitionKey } from '../../../ports/memories.js';
import { type Caller, scopeOf } from '../../caller.js';
import type { Engine } from '../../engine.js';
import type { Language } from '../analysis/language.js';
import type { Segment } from '../index/segment.js';
import { memoryLimits, toVector } from '../memory-input.js';
import { checkLimit, toFilter } from '../memory-query.js';
import { type MemoryScope, partitionsOf } from '../scope-partitions.js';
import { cosines } from './cosines.js';
import { findCandidates, type LargePart, openLargePart } from './large-part.js';
import { planQuery, queryHashes } from './query-plan.js';
import type { RankInput } from './rank-input.js';
import { collectRows, findTerms, type RowTest, type ScopePart } from './scan.js';
import type { RecallWeights } from './weights.js';

export interface RecallInput {
  /** The text to search for; at least one of `text` and `embedding` is needed. */
  text?: string | undefined;
  embedding?: readonly number[] | undefined;
  scope: MemoryScope;
  filter?: MemoryFilter | undefined;
  /** Further conditions on the memories of single partitions, by `partitionKey`. */
  partitionFilters?: ReadonlyMap<string, MemoryFilter> | undefined;
  limit: number;
  /** Pinned memories that match come before all others, instead of only getting a bonus. */
  pinnedFirst?: boolean | undefined;
  /** lexical: by words only; dense: by meaning only. */
  arms?: 'both' | 'lexical' | 'dense' | undefined;
  /** Explains the score of each result. */
  explain?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** What was ranked, and where its rows are stored. */
export interface SearchedScope<T> {
  /** By segment number. */
  partitions: readonly Partition[];
  ranked: T;
  filterOf(partition: Partition): MemoryFilter;
  /** Milliseconds. */
  now: number;
}

/** Finds the rows in scope and orders them. Returns undefined if there are none. */
export async function searchScope<T>(
  engine: Engine,
  caller: Caller,
  input: RecallInput,
  order: (rows: RankInput) => T,
): Promise<SearchedScope<T> | undefined> {
  const text = input.text === undefined ? undefined : toQuery(input.text);
  const given = input.embedding === undefined ? undefined : toVector(input.embedding, engine.embedder);
  if (text === undefined && given === undefined)
    throw new Problem('INVALID_REQUEST', 'Give a text or an embedding to search for.');
  checkLimit(input.limit);
  const filter = toFilter(input.filter);
  const now = engine.clock.now().getTime();
  const language = await engine.tenants.language(scopeOf(caller));
  const hashes = text === undefined ? [] : queryHashes(text, language);
  const filterOf = (partition: Partition) => ({ ...filter, ...input.partitionFilters?.get(partitionKey(partition)) });
  const opened = await openPartitions(engine, caller, partitionsOf(caller, input.scope), { hashes, filterOf, now });
  const resident = opened.filter((one) => 'segment' in one);
  const large = opened.filter((one) => 'part' in one);
  const tested = await Promise.all(
    resident.map(async (one) => ({ ...one, test: await toRowTest(engine, caller, one, filterOf(one.partition)) })),
  );
  const look = (others: readonly ScopePart[]) =>
    lookAt([...tested, ...others], text, hashes, {
      language,
      now,
      weights: engine.recallWeights,
    });

  let seen = look(large.map(({ part }) => part));
  if (seen.scope.count === 0) return undefined;
  const embedText = input.arms === 'lexical' ? undefined : seen.plan?.embedText;
  const embedded = given ?? (await embedQuery(engine, embedText, input.signal));
  const vector = input.arms === 'lexical' ? undefined : embedded;
  const plan = input.arms === 'dense' ? undefined : seen.plan;
  const { limit, pinnedFirst = false } = input;
  const query = { plan, averageTerms: seen.scope.totalTerms / seen.scope.count, vector, limit, pinnedFirst };
  const found = await Promise.all(large.map((one) => findCandidates(engine, scopeOf(caller), one, query)));
  // During the awaits above, another caller may have updated a segment: its slots then mean other rows.
  if (large.length > 0 || seen.parts.some(({ segment, generation }) => segment.generation !== generation))
    seen = look(found);
  const ranked = order({
    scope: seen.scope,
    plan: input.arms === 'dense' ? undefined : seen.plan,
    matches: input.arms === 'dense' ? undefined : seen.matches,
    cosines: vector === undefined ? undefined : cosines(seen.scope, vector),
    weights: engine.recallWeights,
    now,
    limit,
    pinnedFirst,
  });
  return { partitions: [...resident, ...large].map(({ partition }) => partition), ranked, filterOf, now };
}

/** Matches the query against the current rows. Nothing may be awaited between this call and ranking. */
function lookAt(
  parts: readonly ScopePart[],
  text: string | undefined,
  hashes: readonly number[],
  context: { language: Language; now: number; weights: RecallWeights },
) {
  const scope = collectRows(parts, context.now);
  const seen = { scope, parts: parts.map(({ segment }) => ({ segment, generation: segment.generation })) };
  if (text === undefined) return { ...seen, plan: undefined, matches: undefined };
  const matches = findTerms(scope, hashes);
  return { ...seen, plan: planQuery(text, { ...context, statistics: matches.statistics }), matches };
}

interface ResidentPart {
  partition: Partition;
  segment: Segment;
}

async function openPartitions(
  engine: Engine,
  caller: Caller,
  partitions: readonly Partition[],
  { filterOf, ...query }: { hashes: readonly number[]; filterOf: (partition: Partition) => MemoryFilter; now: number },
): Promise<(ResidentPart | LargePart)[]> {
  const scope = scopeOf(caller);
  const segments = await engine.segments.getMany(scope, partitions, query.now);
  return Promise.all(
    partitions.map((partition, place) => {
      const segment = segments[place] ?? 'large';
      if (segment !== 'large') return { partition, segment };
      return openLargePart(engine, scope, partition, { ...query, filter: filterOf(partition) });
    }),
  );
}

/** Conditions on columns of a segment are tested there; for other conditions the store returns the matching rows. */
async function toRowTest(
  engine: Engine,
  caller: Caller,
  { partition, segment: rows }: ResidentPart,
  filter: MemoryFilter,
): Promise<RowTest | undefined> {
  const { anyOf, ...own } = filter;
  const { kinds, notKinds, sessionIds, agentId, agentIds, occurredFrom, occurredTo, ...others } = own;
  const tests: RowTest[] = [];
  if (kinds !== undefined) tests.push((segment, slot) => kinds.includes(segment.kinds[slot] ?? ''));
  if (notKinds !== undefined) tests.push((segment, slot) => !notKinds.includes(segment.kinds[slot] ?? ''));
  if (sessionIds !== undefined) tests.push((segment, slot) => sessionIds.includes(segment.sessionIds[slot] ?? ''));
  if (agentId !== undefined) tests.push((segment, slot) => segment.agentIds[slot] === agentId);
  if (agentIds !== undefined) tests.push((segment, slot) => agentIds.includes(segment.agentIds[slot] ?? ''));
  if (occurredFrom !== undefined)
    tests.push((segment, slot) => (segment.occurredAt[slot] ?? 0) >= occurredFrom.getTime());
  if (occurredTo !== undefined) tests.push((segment, slot) => (segment.occurredAt[slot] ?? 0) < occurredTo.getTime());
  if (rows.count > 0 && Object.values(others).some((condition) => condition !== undefined)) {
    const seqs = await engine.store.read(scopeOf(caller), (tables) => tables.memoryIndex.matching(partition, own));
    const allowed = new Set(seqs);
    tests.push((segment, slot) => allowed.has(segment.seqs[slot] ?? 0));
  }
  if (anyOf !== undefined) {
    const found = await Promise.all(anyOf.map((one) => toRowTest(engine, caller, { partition, segment: rows }, one)));
    // An alternative without conditions matches everything.
    const alternatives = found.filter((test) => test !== undefined);
    if (alternatives.length === found.length)
      tests.push((segment, slot) => alternatives.some((test) => test(segment, slot)));
  }
  return tests.length === 0 ? undefined : (segment, slot) => tests.every((test) => test(segment, slot));
}

/** Without a vector, recall continues by words: a partial result is better than none. */
async function embedQuery(
  engine: Engine,
  text: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Float32Array | undefined> {
  if (engine.embedder === null || text === undefined) return undefined;
  try {
    const [vector] = await engine.embedder.embed([text], { purpose: 'query', signal });
    return vector;
  } catch (error) {
    signal?.throwIfAborted();
    engine.onFault(error, 'embedding a query');
    return undefined;
  }
}

/** Collapses runs of white space, which mean nothing and cost time. */
function toQuery(text: string): string {
  const fault = describeFault(text);
  if (fault !== undefined) throw new Problem('INVALID_REQUEST', `The query ${fault}.`);
  if (!/\S/u.test(text)) throw new Problem('INVALID_REQUEST', 'The query must not be blank.');
  if (text.length > memoryLimits.queryCharacters) {
    throw new Problem(
      'INVALID_REQUEST',
      `The query has more than ${memoryLimits.queryCharacters} characters: shorten it.`,
    );
  }
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}
