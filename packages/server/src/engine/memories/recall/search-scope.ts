import { performance } from 'node:perf_hooks';
import { describeFault, Problem } from '@memhall/core';
import { type MemoryFilter, type Partition, partitionKey } from '../../../ports/memories.js';
import type { MemoryIndexThen } from '../../../ports/memory-index.js';
import type { Tables } from '../../../ports/store.js';
import { type Caller, scopeOf } from '../../caller.js';
import type { Engine } from '../../engine.js';
import type { Language } from '../analysis/language.js';
import { timeSpans } from '../analysis/time-spans.js';
import { Segment } from '../index/segment.js';
import { wholeScope } from '../index/segment-cache.js';
import { readSegmentThen } from '../index/segment-then.js';
import { memoryLimits, toVector } from '../memory-input.js';
import { checkLimit, toFilter } from '../memory-query.js';
import { type MemoryScope, partitionsOf } from '../scope-partitions.js';
import { embedQuery } from './embed-query.js';
import { findCandidates, type LargePart, openLargePart } from './large-part.js';
import { nearVectors } from './near-vectors.js';
import { planQuery, queryHashes } from './query-plan.js';
import type { RankInput } from './rank-input.js';
import { collectRows, findTerms, type RowTest, type ScopePart } from './scan.js';
import { timeStage } from './time-stage.js';
import { type TruthQuery, toTruthQuery, type WantedTruth } from './truth-query.js';
import type { RecallWeights } from './weights.js';
import { changeTimesFor } from './what-changed.js';

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
  /** false: leaves the order as it is before the reranker. */
  rerank?: boolean | undefined;
  /** compared: ranks as if the embedder to compare with were in use. Default: own. */
  embedder?: 'own' | 'compared' | undefined;
  /** Explains the score of each result. */
  explain?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Lets the facts of a user play a part, and says for which time. Default: facts play no part. */
  truth?: (WantedTruth & { userId: string }) | undefined;
}

/** What was ranked, and where its rows are stored. */
export interface SearchedScope<T> {
  /** By segment number. */
  partitions: readonly Partition[];
  ranked: T;
  filterOf(partition: Partition): MemoryFilter;
  /** Where the memories are read, as they are or as they were. */
  indexOf(tables: Tables): MemoryIndexThen;
  /** Milliseconds. */
  now: number;
  truth: TruthQuery | undefined;
}

/** A row to look at, whether or not it is among the best. */
interface WatchedRow {
  partition: Partition;
  seq: number;
}

/**
 * Finds the rows in scope and orders them. Returns undefined if there are none. A watched row is always among the rows to order;
 * `partitions` are those of the parts.
 */
export async function searchScope<T>(
  engine: Engine,
  caller: Caller,
  input: RecallInput,
  order: (rows: RankInput, partitions: readonly Partition[]) => T,
  watched?: WatchedRow,
): Promise<SearchedScope<T> | undefined> {
  const text = input.text === undefined ? undefined : toQuery(input.text);
  const given = input.embedding === undefined ? undefined : toVector(input.embedding, engine.embedder);
  if (text === undefined && given === undefined)
    throw new Problem('INVALID_REQUEST', 'Give a text or an embedding to search for.');
  checkLimit(input.limit);
  const now = engine.clock.now().getTime();
  const truth = input.truth && toTruthQuery(input.truth.userId, input.truth, { text, now });
  const filter = withinTime(toFilter(input.filter), input.truth?.asOf);
  /** What words of time refer to. Whether a memory has expired does not depend on the time that is asked about. */
  const today = truth?.asOf ?? now;
  const language = await engine.tenants.language(scopeOf(caller));
  const timeZone = await timeZoneFor(engine, caller, text, now);
  const hashes = text === undefined ? [] : queryHashes(text, language);
  const filterOf = (partition: Partition) => ({ ...filter, ...input.partitionFilters?.get(partitionKey(partition)) });
  const knownAt = input.truth?.knownAt;
  const indexOf = (tables: Tables) => indexAt(tables, knownAt, now);
  const wanted = partitionsOf(caller, input.scope);
  const opened = await timeStage(engine, 'load', () =>
    knownAt === undefined
      ? openPartitions(engine, caller, wanted, { hashes, filterOf, now })
      : openThen(engine, caller, wanted, indexOf, now),
  );
  const resident = opened.filter((one) => 'segment' in one);
  const large = opened.filter((one) => 'part' in one);
  const tested = await Promise.all(
    resident.map(async (one) => ({
      ...one,
      test: await toRowTest(engine, caller, one, filterOf(one.partition), indexOf),
    })),
  );
  const look = (others: readonly ScopePart[]) =>
    lookAt([...tested, ...others], text, hashes, {
      language,
      now,
      today,
      timeZone,
      weights: engine.recallWeights,
    });

  const lookSince = performance.now();
  let seen = look(large.map(({ part }) => part));
  const lookMs = performance.now() - lookSince;
  if (seen.scope.count === 0) return undefined;
  const isEmbedded = input.arms !== 'lexical' && given === undefined;
  const [embedded = given, ...sentences] = isEmbedded
    ? await timeStage(engine, 'embed', () => embedQuery(engine, seen.plan, input.signal))
    : [];
  const matchSince = performance.now();
  const vector = input.arms === 'lexical' ? undefined : embedded;
  const plan = input.arms === 'dense' ? undefined : seen.plan;
  const { limit, pinnedFirst = false } = input;
  const averageTerms = seen.scope.totalTerms / seen.scope.count;
  const query = { plan, averageTerms, vector, limit, pinnedFirst, watched };
  const found = await Promise.all(large.map((one) => findCandidates(engine, scopeOf(caller), one, query)));
  // During the awaits above, another caller may have updated a segment: its slots then mean other rows.
  if (large.length > 0 || hasChanged(seen)) seen = look(found);
  const partitions = [...resident, ...large].map(({ partition }) => partition);
  let near = nearVectors(engine, seen.scope, vector);
  while (near.isLacking) {
    await near.load(caller, partitions);
    if (hasChanged(seen)) seen = look(found);
    near = nearVectors(engine, seen.scope, vector);
  }
  const rows: RankInput = {
    scope: seen.scope,
    plan: input.arms === 'dense' ? undefined : seen.plan,
    matches: input.arms === 'dense' ? undefined : seen.matches,
    cosines: near.cosines(sentences, engine.recallWeights.sentence),
    allRead: near.isExact,
    weights: engine.recallWeights,
    now: today,
    limit,
    truth,
    changes: changeTimesFor(
      { text, truth, spans: seen.plan?.spans ?? [] },
      seen.parts.map(({ segment }) => segment),
    ),
    pinnedFirst,
  };
  const ranked = order(rows, partitions);
  engine.telemetry.observeRecallStage('match', (lookMs + performance.now() - matchSince) / 1000);
  return { partitions, ranked, filterOf, indexOf, now, truth };
}

/** Returns the user's time zone if the text names a time; else it does not matter. */
async function timeZoneFor(engine: Engine, caller: Caller, text: string | undefined, now: number): Promise<string> {
  if (text === undefined || timeSpans(text, now).length === 0) return 'UTC';
  return engine.timeZones.of(scopeOf(caller));
}

/** Matches the query against the current rows. Nothing may be awaited between this call and ranking. */
function lookAt(
  parts: readonly ScopePart[],
  text: string | undefined,
  hashes: readonly number[],
  context: { language: Language; now: number; today: number; timeZone: string; weights: RecallWeights },
) {
  const scope = collectRows(parts, context.now);
  const seen = { scope, parts: parts.map(({ segment }) => ({ segment, generation: segment.generation })) };
  if (text === undefined) return { ...seen, plan: undefined, matches: undefined };
  const matches = findTerms(scope, hashes);
  return {
    ...seen,
    plan: planQuery(text, { ...context, now: context.today, statistics: matches.statistics }),
    matches,
  };
}

function hasChanged({ parts }: ReturnType<typeof lookAt>): boolean {
  return parts.some(({ segment, generation }) => segment.generation !== generation);
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

/** Reads partitions as they were. What is not there any more, such as an expired namespace, was never there. */
function openThen(
  engine: Engine,
  caller: Caller,
  partitions: readonly Partition[],
  indexOf: (tables: Tables) => MemoryIndexThen,
  now: number,
): Promise<ResidentPart[]> {
  return engine.store.read(wholeScope(scopeOf(caller)), async (tables) => {
    const heads = await tables.memoryIndex.heads(partitions);
    const parts: ResidentPart[] = [];
    for (const [place, partition] of partitions.entries()) {
      const { revision = 0, expiresAt = null } = heads[place] ?? {};
      const isGone = revision === 0 || (expiresAt !== null && expiresAt.getTime() <= now);
      const segment = isGone
        ? new Segment(0)
        : await readSegmentThen(indexOf(tables), partition, engine.segments.model);
      parts.push({ partition, segment });
    }
    return parts;
  });
}

/** Returns where memories are read: as they are, or as they were. */
export function indexAt({ memoryIndex }: Tables, knownAt: Date | undefined, now: number): MemoryIndexThen {
  return knownAt === undefined ? memoryIndex : memoryIndex.at({ knownAt, now: new Date(now) });
}

/** Conditions on columns of a segment are tested there; for other conditions the store returns the matching rows. */
async function toRowTest(
  engine: Engine,
  caller: Caller,
  { partition, segment: rows }: ResidentPart,
  filter: MemoryFilter,
  indexOf: (tables: Tables) => MemoryIndexThen,
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
    const seqs = await engine.store.read(scopeOf(caller), (tables) => indexOf(tables).matching(partition, own));
    const allowed = new Set(seqs);
    tests.push((segment, slot) => allowed.has(segment.seqs[slot] ?? 0));
  }
  if (anyOf !== undefined) {
    const found = await Promise.all(
      anyOf.map((one) => toRowTest(engine, caller, { partition, segment: rows }, one, indexOf)),
    );
    // An alternative without conditions matches everything.
    const alternatives = found.filter((test) => test !== undefined);
    if (alternatives.length === found.length)
      tests.push((segment, slot) => alternatives.some((test) => test(segment, slot)));
  }
  // Called for every row, so a single test is called without another function.
  return tests.length <= 1 ? tests[0] : (segment, slot) => tests.every((test) => test(segment, slot));
}

/** What took place later does not count. */
export function withinTime(filter: MemoryFilter, asOf: Date | undefined): MemoryFilter {
  if (asOf === undefined) return filter;
  const end = new Date(asOf.getTime() + 1);
  return {
    ...filter,
    occurredTo: filter.occurredTo !== undefined && filter.occurredTo < end ? filter.occurredTo : end,
  };
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
