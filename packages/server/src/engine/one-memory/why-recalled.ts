import { partitionKey } from '../../ports/memories.js';
import type { Engine } from '../engine.js';
import { tenseOf } from '../memories/analysis/query-tense.js';
import { type FilterName, placeMemory } from '../memories/recall/place-memory.js';
import type { RowPlace } from '../memories/recall/place-row.js';
import { partitionsOf } from '../memories/scope-partitions.js';
import type { CopyReason } from './copies.js';
import { getAny, missing } from './find-any.js';
import { fitSessions, fitTokens } from './fit-tokens.js';
import { judge, type Truth } from './judge.js';
import type { Member } from './member.js';
import { readingOf } from './reading.js';
import { type AnyRecall, type AnyRecalled, recallAny, toRecallInput } from './recall-any.js';
import { hasSession, recallAnySessions, toSessionInput } from './recall-any-sessions.js';
import { sayWhy } from './say-why.js';

/**
 * Why a recall returned a memory or did not, in the order in which it is decided. `no_session`: sessions are wanted and it has none.
 * `filter`: the request leaves it out. `superseded`: nothing is true any more that it says. `candidates`: its partition is searched in the database, which did not propose
 * it. `threshold`: it matches neither by word nor by meaning. `copy`: another result says the same. `rank`: others match better.
 * `token_budget`: the texts before it use up the budget.
 */
export const whyReasons = [
  'returned',
  'no_session',
  'filter',
  'superseded',
  'candidates',
  'threshold',
  'copy',
  'rank',
  'token_budget',
] as const;
type WhyReason = (typeof whyReasons)[number];

/** A part of a recall that can leave a memory out. */
export type KeptOutBy = 'scopes' | 'namespaces' | FilterName;

export interface WhyRecall extends Omit<AnyRecall, 'minScore' | 'forModel' | 'explain'> {
  groupBy?: 'memory' | 'session' | undefined;
  tokenBudget?: number | undefined;
}

export interface Why {
  reason: WhyReason;
  /**
   * From 1. Of a memory that is returned, or was until the budget was applied: the place of its result. Of another that matches: its
   * place among everything that matches, before copies are joined. With sessions: that of its session.
   */
  rank: number | undefined;
  /** The same in words. */
  message: string;
  /** If the reason is `filter`. */
  keptOutBy: readonly KeptOutBy[];
  /** The result that it is a copy of. */
  copyOf: { id: string; reason: CopyReason } | undefined;
  /** What facts say about it; undefined if nothing against it. */
  truth: Truth | undefined;
  /** Memories that are no longer true, in whose place it is shown. */
  standsFor: readonly string[];
  /** How it was ranked; undefined if it was not. */
  ranking: RowPlace | undefined;
}

/** Recalls, and says why a memory is among the results or is not. Throws NOT_FOUND if the caller may not read the memory. */
export async function whyRecalled(engine: Engine, member: Member, id: string, given: WhyRecall): Promise<Why> {
  const { groupBy = 'memory', tokenBudget, ...input } = given;
  const memory = await getAny(engine, member, id);
  const bySession = groupBy === 'session';
  const results = bySession
    ? await shownSessions(engine, member, input, tokenBudget)
    : await shownMemories(engine, member, input, tokenBudget);
  const { reader, ...query } = bySession ? toSessionInput(member, input) : toRecallInput(member, input);
  const finder = readingOf(member).reader;
  const why = (reason: WhyReason, rest: Partial<Why> = {}): Why => {
    const found = { reason, rank: undefined, keptOutBy: [], copyOf: undefined, ...nothing, ...rest };
    return { ...found, message: sayWhy(found, { limit: input.limit, bySession }) };
  };
  if (bySession && !hasSession(memory)) return why('no_session');
  const place = await placeMemory(engine, { finder, caller: reader }, query, memory);
  if (place === undefined) throw missing(id);
  if (!('row' in place)) {
    const isElsewhere = !isSearched(member, { ...input, namespaces: undefined }, memory.partition);
    const scope = input.namespaces === undefined || isElsewhere ? 'scopes' : 'namespaces';
    return why('filter', { keptOutBy: place.keptOutBy.map((name) => (name === 'scope' ? scope : name)) });
  }
  const ranking = place.row;
  const [judged] = await judge(engine, finder, [{ memory, score: 0, ...(place.mark && { mark: place.mark }) }], input);
  const truth = judged?.truth;
  const sayRanked = (reason: WhyReason, rest: Partial<Why> = {}) => why(reason, { ranking, truth, ...rest });
  if (truth?.isCurrent === false && !showsOver(input)) return sayRanked('superseded');
  const shown = findShown(results, id);
  if (shown !== undefined) return sayRanked(shown.reason, { truth: shown.truth ?? truth, ...shown.rest });
  if (!ranking.isCandidate) return sayRanked('candidates');
  if (ranking.place === undefined) return sayRanked('threshold');
  return sayRanked('rank', { rank: bySession ? ranking.sessionPlace : ranking.place });
}

/** Looks for a memory among the results and their copies. */
function findShown(
  results: readonly Shown[],
  id: string,
): { reason: WhyReason; truth?: Truth | undefined; rest: Partial<Why> } | undefined {
  for (const { rank, found, fits } of results) {
    const { memory, also, standsFor = [] } = found;
    if (memory.id === id)
      return { reason: fits ? 'returned' : 'token_budget', truth: found.truth, rest: { rank, standsFor } };
    const copy = also.find((one) => one.id === id);
    if (copy !== undefined) return { reason: 'copy', rest: { rank, copyOf: { id: memory.id, reason: copy.reason } } };
  }
  return undefined;
}

const nothing = { ranking: undefined, truth: undefined, standsFor: [] };

function showsOver({ includeSuperseded = false, text }: WhyRecall): boolean {
  return includeSuperseded || (text !== undefined && tenseOf(text) !== 'present');
}

/** A memory among the results. */
interface Shown {
  rank: number;
  found: AnyRecalled;
  /** Whether it is within the token budget. */
  fits: boolean;
}

async function shownMemories(
  engine: Engine,
  member: Member,
  input: AnyRecall,
  tokens: number | undefined,
): Promise<Shown[]> {
  const found = await recallAny(engine, member, input);
  const fitting = fitTokens(found, tokens).length;
  return found.map((one, index) => ({ rank: index + 1, found: one, fits: index < fitting }));
}

async function shownSessions(
  engine: Engine,
  member: Member,
  input: AnyRecall,
  tokens: number | undefined,
): Promise<Shown[]> {
  const found = await recallAnySessions(engine, member, input);
  const fitting = fitSessions(found, tokens);
  return found.flatMap(({ best }, index) => {
    const fits = fitting[index]?.best.length ?? 0;
    return best.map((one, place) => ({ rank: index + 1, found: one, fits: place < fits }));
  });
}

function isSearched(member: Member, input: WhyRecall, partition: Parameters<typeof partitionKey>[0]): boolean {
  const { scope, reader } = toRecallInput(member, input);
  return partitionsOf(reader, scope).some((one) => partitionKey(one) === partitionKey(partition));
}
