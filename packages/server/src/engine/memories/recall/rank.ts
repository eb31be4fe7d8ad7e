import { timeFit } from '../analysis/time-spans.js';
import { trait } from '../analysis/traits.js';
import type { Segment } from '../index/segment.js';
import { BestRows } from './best-rows.js';
import { cosineFloor, denseArm } from './dense-arm.js';
import { feedbackOf } from './feedback.js';
import { type LexicalArm, lexicalArm } from './lexical-arm.js';
import type { RankInput } from './rank-input.js';
import { arrivalOf, type ScopePart } from './scan.js';
import { changeOf, isHidden, truthOf } from './truth-query.js';
import type { RecallWeights } from './weights.js';
import type { WordCoverage } from './word-coverage.js';

/** The contribution of each part to a result. Their sum, mapped to 0 … 1, is the score. */
export interface Explanation {
  lexical: number;
  dense: number;
  context: number;
  speaker: number;
  time: number;
  hint: number;
  pin: number;
  recency: number;
  /** What facts say: less for what is no longer true or disputed, more for the past if the query asks about it. */
  truth: number;
  /** What the reranker added, if one is in use. */
  rerank?: number;
  /** Cosine with the query; null without a vector. */
  cosine: number | null;
}

/** Identifies a row in a way that stays valid while its segment changes. */
export interface Ranked {
  segmentNumber: number;
  seq: number;
  score: number;
  explanation: Explanation;
  /** It is no longer true. It is there only for what took its place. */
  isHidden: boolean;
  /** It is a part of a change that is asked for. */
  isChange: boolean;
}

/** Of those that are no longer true: what takes the place of the best ones is enough. */
const mostHidden = 10;

interface Arms {
  lexical: LexicalArm | undefined;
  dense: Float32Array | undefined;
  /** What is added for being near to what the best rows are about, by row. */
  feedback: ReadonlyMap<number, number>;
}

const noFeedback: ReadonlyMap<number, number> = new Map();

const dayMs = 86_400_000;

/**
 * Returns the best rows, best first, and then the best of those that are hidden. Leaves out rows that match neither by word nor by
 * meaning.
 */
export function rank(input: RankInput): Ranked[] {
  const arrival = (row: number) => arrivalOf(input.scope, row);
  const best = new BestRows(input.limit, input.pinnedFirst, arrival);
  const hidden = new BestRows(mostHidden, input.pinnedFirst, arrival);
  const { describe } = scoreRows(input, ({ raw, row, segment, slot }) =>
    (isHidden(segment, slot, input) ? hidden : best).offer(raw, row, segment.pinned[slot] === 1),
  );
  return [...best.rows(), ...hidden.rows()].map(describe);
}

/** A row that matches. The object is used again for the next row. */
interface ScoredRow {
  raw: number;
  row: number;
  number: number;
  segment: Segment;
  slot: number;
}

interface ScoredRows {
  /** Explains a row, whether or not it matches. */
  describe: (row: number) => Ranked;
  /** The cosine from which a row that shares no word with the query matches. */
  floor: number;
}

/** Scores all rows and offers those that match, in their order. */
export function scoreRows(input: RankInput, offer: (scored: ScoredRow) => void): ScoredRows {
  const lexical = lexicalArm(input);
  const floor = cosineFloor(input);
  const first = { lexical, dense: denseArm(input, lexical !== undefined), feedback: noFeedback };
  const arms = { ...first, feedback: findFeedback(input, first, floor) };
  scoreMatches(input, arms, floor, offer);
  return { describe: (row) => describe(row, input, arms), floor };
}

/** A message is ranked twice: what it matches first says what it is about. */
function findFeedback(input: RankInput, arms: Arms, floor: number): ReadonlyMap<number, number> {
  const { plan, weights, scope, allRead } = input;
  if (!plan?.isMessage || arms.dense === undefined || !allRead) return noFeedback;
  const best = new BestRows(weights.feedbackRows, false, (row) => arrivalOf(scope, row));
  scoreMatches(input, arms, floor, ({ raw, row, segment, slot }) => {
    if (!isHidden(segment, slot, input)) best.offer(raw, row, false);
  });
  return feedbackOf(input, best.scored());
}

function scoreMatches(input: RankInput, arms: Arms, floor: number, offer: (scored: ScoredRow) => void): void {
  const { scope } = input;
  const { lexical } = arms;
  for (const [number, { segment }] of scope.parts.entries()) {
    const base = scope.bases[number] ?? 0;
    const scored = { raw: 0, row: 0, number, segment, slot: 0 };
    for (let slot = 0; slot < segment.size; slot++) {
      const row = base + slot;
      if (scope.allowed[row] === 0) continue;
      const own = (lexical?.scores[row] ?? 0) > 0 || (input.cosines?.[row] ?? 0) >= floor;
      if (!own && changeOf(segment, slot, input) === 0) continue;
      scored.raw =
        (lexical?.scores[row] ?? 0) +
        (arms.dense?.[row] ?? 0) +
        contextOf(segment, slot, base, arms, input) +
        (arms.feedback.get(row) ?? 0) +
        speakerOf(segment, slot, base, arms, input) +
        timeOf(segment, slot, input) +
        hintOf(segment, slot, input) +
        pinOf(segment, slot, input) +
        recencyOf(segment, slot, input) +
        truthOf(segment, slot, input);
      scored.row = row;
      scored.slot = slot;
      offer(scored);
    }
  }
}

/**
 * Scores the neighbours in a session: for matching themselves, and for words of the query that the row itself lacks.
 */
function contextOf(segment: Segment, slot: number, base: number, arms: Arms, { weights }: RankInput): number {
  const { previous, next } = segment;
  const before = previous[slot] as number;
  const after = next[slot] as number;
  if (before === -1 && after === -1) return 0;
  const twoBefore = before === -1 ? -1 : (previous[before] as number);
  const twoAfter = after === -1 ? -1 : (next[after] as number);
  const answers = before !== -1 && ((segment.traits[before] as number) & trait.asks) !== 0;
  const nearBefore = weights.near + (answers ? weights.answer : 0);
  let sum = 0;
  for (let number = 0; number < 2; number++) {
    const arm = number === 0 ? arms.lexical?.scores : arms.dense;
    if (arm === undefined) continue;
    sum +=
      Math.max(nearBefore * at(arm, base, before), weights.near * at(arm, base, after)) +
      weights.far * Math.max(at(arm, base, twoBefore), at(arm, base, twoAfter));
  }
  if (arms.lexical !== undefined) {
    const { coverage } = arms.lexical;
    const around =
      wordsAt(coverage, base, before) |
      wordsAt(coverage, base, after) |
      wordsAt(coverage, base, twoBefore) |
      wordsAt(coverage, base, twoAfter);
    sum += weights.completing * coverage.share(around & ~coverage.of(base + slot));
  }
  return sum * shortness(segment, slot, weights);
}

function at(arm: Float32Array, base: number, neighbour: number): number {
  return neighbour === -1 ? 0 : (arm[base + neighbour] as number);
}

function wordsAt(coverage: WordCoverage, base: number, neighbour: number): number {
  return neighbour === -1 ? 0 : coverage.of(base + neighbour);
}

/**
 * If the query names a speaker of this scope, rows of other speakers get no bonus; rows without a speaker do. What an assistant
 * says counts less, unless the query asks for it.
 */
function speakerOf(
  segment: Segment,
  slot: number,
  base: number,
  { lexical, dense }: Arms,
  { plan, weights }: RankInput,
): number {
  if (((segment.traits[slot] as number) & trait.byAssistant) !== 0 && !plan?.asksAssistant) {
    const own = (lexical?.scores[base + slot] ?? 0) + (dense?.[base + slot] ?? 0);
    const [most, share] = plan?.isOwn ? [weights.assistantOfOwn, 0.8] : [weights.assistant, 0.5];
    return -Math.min(most, share * own);
  }
  if (lexical === undefined || plan === undefined || plan.labels.size === 0) return 0;
  return lexical.named[base + slot] === 1 || !segment.hasLabel(slot) ? weights.speaker : 0;
}

function timeOf(segment: Segment, slot: number, { plan, weights }: RankInput): number {
  if (plan === undefined || plan.spans.length === 0) return 0;
  return weights.time * timeFit(segment.occurredAt[slot] as number, plan.spans);
}

function hintOf(segment: Segment, slot: number, { plan, weights }: RankInput): number {
  const traits = segment.traits[slot] as number;
  const timed = plan?.asksWhen && (traits & trait.timed) !== 0 ? weights.timeWord : 0;
  const asking = plan?.asks && (traits & trait.endsAsking) !== 0 ? weights.asking : 0;
  return (timed - asking) * shortness(segment, slot, weights);
}

/** 1 for a short text, 0.5 for one of `longText` words, and almost 0 for an article: long texts stand on their own. */
function shortness(segment: Segment, slot: number, { longText }: RecallWeights): number {
  return 1 / (1 + ((segment.termCounts[slot] as number) / longText) ** 2);
}

function pinOf(segment: Segment, slot: number, { weights }: RankInput): number {
  return segment.pinned[slot] === 1 ? weights.pin : 0;
}

function recencyOf(segment: Segment, slot: number, { weights, now }: RankInput): number {
  if (weights.recency === 0) return 0;
  const ageDays = Math.max(0, (now - (segment.occurredAt[slot] as number)) / dayMs);
  return weights.recency * 2 ** (-ageDays / weights.recencyHalfLifeDays);
}

function describe(row: number, input: RankInput, arms: Arms): Ranked {
  const { scope } = input;
  let number = 0;
  while (row >= (scope.bases[number + 1] ?? 0)) number += 1;
  const { segment } = scope.parts[number] as ScopePart;
  const base = scope.bases[number] ?? 0;
  const slot = row - base;
  const cosine = input.cosines?.[row] ?? Number.NaN;
  const explanation: Omit<Explanation, 'rerank'> = {
    lexical: arms.lexical?.scores[row] ?? 0,
    dense: arms.dense?.[row] ?? 0,
    context: contextOf(segment, slot, base, arms, input) + (arms.feedback.get(row) ?? 0),
    speaker: speakerOf(segment, slot, base, arms, input),
    time: timeOf(segment, slot, input),
    hint: hintOf(segment, slot, input),
    pin: pinOf(segment, slot, input),
    recency: recencyOf(segment, slot, input),
    truth: truthOf(segment, slot, input),
    cosine: Number.isNaN(cosine) ? null : cosine,
  };
  const { cosine: _, ...parts } = explanation;
  const raw = Object.values(parts).reduce((sum, part) => sum + part, 0);
  return {
    ...{ segmentNumber: number, seq: segment.seqs[slot] ?? 0, score: toScore(raw), explanation },
    isHidden: isHidden(segment, slot, input),
    isChange: changeOf(segment, slot, input) > 0,
  };
}

/** Maps a sum of parts to 0 … 1. */
export function toScore(raw: number): number {
  return raw > 0 ? 1 - Math.exp(-1.5 * raw) : 0;
}
