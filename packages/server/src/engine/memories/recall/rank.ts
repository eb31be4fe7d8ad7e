import { timeFit } from '../analysis/time-spans.js';
import { trait } from '../analysis/traits.js';
import type { Segment } from '../index/segment.js';
import { heldBack, holdBackOf } from './hold-back.js';
import type { QueryPlan } from './query-plan.js';
import type { ScopePart, ScopeRows, TermMatches } from './scan.js';
import type { RecallWeights } from './weights.js';

/** What each part gave a result; they add up to `raw`, before the score is brought into 0 … 1. */
export interface Explanation {
  lexical: number;
  dense: number;
  context: number;
  time: number;
  hint: number;
  pin: number;
  recency: number;
  /** Cosine with the query; null without a vector. */
  cosine: number | null;
}

/** Names a row by what stays true while its segment changes. */
export interface Ranked {
  segmentNumber: number;
  seq: number;
  score: number;
  explanation: Explanation;
}

export interface RankInput {
  scope: ScopeRows;
  plan: QueryPlan | undefined;
  matches: TermMatches | undefined;
  cosines: Float32Array | undefined;
  weights: RecallWeights;
  now: number;
  limit: number;
  /** Pinned rows that fit come before all others, however well those fit. */
  pinnedFirst: boolean;
}

const dayMs = 86_400_000;
const fewMemories = 10;

/** The best rows, best first. Rows that fit neither by word nor by meaning are left out. */
export function rank(input: RankInput): Ranked[] {
  const { scope, weights } = input;
  const lexical = lexicalArm(input);
  const dense = denseArm(input, lexical !== undefined);
  const floor = cosineFloor(input, lexical?.sureness ?? 0);
  const best = new BestRows(input.limit, input.pinnedFirst);
  for (const [number, { segment }] of scope.parts.entries()) {
    const base = scope.bases[number] ?? 0;
    for (let slot = 0; slot < segment.size; slot++) {
      const row = base + slot;
      if (scope.allowed[row] === 0) continue;
      const own = (lexical?.scores[row] ?? 0) > 0 || (input.cosines?.[row] ?? 0) >= floor;
      if (!own) continue;
      const context = contextOf(segment, slot, base, lexical?.scores, dense, weights);
      const raw =
        (lexical?.scores[row] ?? 0) +
        (dense?.[row] ?? 0) +
        context +
        timeOf(segment, slot, input) +
        hintOf(segment, slot, input) +
        pinOf(segment, slot, input) +
        recencyOf(segment, slot, input);
      best.offer(raw, row, segment.pinned[slot] === 1);
    }
  }
  return best.rows().map((row) => describe(row, input, lexical?.scores, dense));
}

interface LexicalArm {
  scores: Float32Array;
  /** 0 … 1: how much of the query the best row covers. */
  sureness: number;
}

/** Of the best row 1 times the arm's share and sureness, of others less. undefined without words to look for. */
function lexicalArm({ scope, plan, matches, cosines, weights }: RankInput): LexicalArm | undefined {
  if (plan === undefined || matches === undefined || plan.weights.size === 0) return undefined;
  const scores = new Float32Array(scope.allowed.length);
  const averageTerms = Math.max(1, matches.statistics.averageTerms);
  const worth = matches.terms.map((hash) => plan.weights.get(hash) ?? 0);
  const isLabel = matches.terms.map((hash) => plan.labels.has(hash));
  let top = 0;
  for (let index = 0; index < matches.rows.length; index++) {
    const row = matches.rows[index] as number;
    const place = matches.places[index] as number;
    const frequency = isLabel[place]
      ? 1
      : saturated(matches.counts[index] as number, scope.termCounts[row] as number, averageTerms, weights);
    const score = (scores[row] as number) + (worth[place] as number) * frequency;
    scores[row] = score;
    if (score > top) top = scores[row] as number;
  }
  if (top === 0) return { scores, sureness: 0 };
  const expected = plan.mass * Math.min(1, Math.sqrt(weights.confidenceTerms / Math.max(1, plan.terms)));
  const sureness = Math.min(1, top / Math.max(expected, Number.MIN_VALUE)) ** weights.confidencePower;
  const share = (cosines === undefined ? 1 : weights.lexicalShare) * sureness;
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row] as number;
    if (score > 0) scores[row] = share * (score / top) ** weights.lexicalPower;
  }
  return { scores, sureness };
}

function cosineFloor({ scope, cosines = new Float32Array(), weights }: RankInput, sureness: number): number {
  const growth = weights.floorGrowth * Math.max(0, Math.log10(scope.count / 1000));
  let best = 0;
  for (let row = 0; row < cosines.length; row++) {
    const cosine = cosines[row] as number;
    if (cosine > best) best = cosine;
  }
  const sure = best >= weights.sureCosine + growth || sureness >= weights.sureLexical;
  return growth + (sure ? weights.lowFloor : weights.floor);
}

/** BM25's term frequency. */
function saturated(count: number, terms: number, averageTerms: number, { k1, b }: RecallWeights): number {
  return (count * (k1 + 1)) / (count + k1 * (1 - b + (b * terms) / averageTerms));
}

function denseArm(input: RankInput, hasWords: boolean): Float32Array | undefined {
  const { cosines, weights } = input;
  if (cosines === undefined) return undefined;
  const { scores, mean } = holdBackShort(input, cosines);
  let top = 0;
  for (let row = 0; row < scores.length; row++) {
    if (Number.isNaN(cosines[row] ?? Number.NaN)) continue;
    const above = Math.max(0, (scores[row] ?? 0) - mean);
    scores[row] = above;
    if (above > top) top = above;
  }
  if (top === 0) return scores;
  const share = (hasWords ? 1 - weights.lexicalShare : 1) * Math.min(1, top / weights.denseSpread);
  for (let row = 0; row < scores.length; row++) scores[row] = (share * (scores[row] ?? 0)) / top;
  return scores;
}

/** Cosines, less of those of short texts, and what is ordinary in this scope. Of a few memories the mean says little about that. */
function holdBackShort({ scope, matches, weights }: RankInput, cosines: Float32Array) {
  const scores = new Float32Array(cosines.length);
  const averageTerms = matches?.statistics.averageTerms ?? (scope.count === 0 ? 0 : scope.totalTerms / scope.count);
  const holdBack = holdBackOf(averageTerms, weights);
  let sum = 0;
  let embedded = 0;
  for (const [number, { background }] of scope.parts.entries()) {
    const [start, end] = [scope.bases[number] ?? 0, scope.bases[number + 1] ?? 0];
    let own = 0;
    let count = 0;
    for (let row = start; row < end; row++) {
      const cosine = cosines[row] ?? Number.NaN;
      if (Number.isNaN(cosine)) continue;
      scores[row] = heldBack(cosine, scope.termCounts[row] as number, holdBack);
      own += scores[row] as number;
      count += 1;
    }
    sum += background === undefined ? own : background.count * background.meanCosine;
    embedded += background?.count ?? count;
  }
  return { scores, mean: sum / (embedded + fewMemories) };
}

/** What the neighbours in a session give. */
function contextOf(
  segment: Segment,
  slot: number,
  base: number,
  lexical: Float32Array | undefined,
  dense: Float32Array | undefined,
  weights: RecallWeights,
): number {
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
    const arm = number === 0 ? lexical : dense;
    if (arm === undefined) continue;
    sum +=
      Math.max(nearBefore * at(arm, base, before), weights.near * at(arm, base, after)) +
      weights.far * Math.max(at(arm, base, twoBefore), at(arm, base, twoAfter));
  }
  return sum / (1 + ((segment.termCounts[slot] as number) / weights.longText) ** 2);
}

function at(arm: Float32Array, base: number, neighbour: number): number {
  return neighbour === -1 ? 0 : (arm[base + neighbour] as number);
}

function timeOf(segment: Segment, slot: number, { plan, weights }: RankInput): number {
  if (plan === undefined || plan.spans.length === 0) return 0;
  return weights.time * timeFit(segment.occurredAt[slot] as number, plan.spans);
}

function hintOf(segment: Segment, slot: number, { plan, weights }: RankInput): number {
  const traits = segment.traits[slot] as number;
  const timed = plan?.asksWhen && (traits & trait.timed) !== 0 ? weights.timeWord : 0;
  const asking = plan?.asks && (traits & trait.endsAsking) !== 0 ? weights.asking : 0;
  return timed - asking;
}

function pinOf(segment: Segment, slot: number, { weights }: RankInput): number {
  return segment.pinned[slot] === 1 ? weights.pin : 0;
}

function recencyOf(segment: Segment, slot: number, { weights, now }: RankInput): number {
  if (weights.recency === 0) return 0;
  const ageDays = Math.max(0, (now - (segment.occurredAt[slot] as number)) / dayMs);
  return weights.recency * 2 ** (-ageDays / weights.recencyHalfLifeDays);
}

function describe(
  row: number,
  input: RankInput,
  lexical: Float32Array | undefined,
  dense: Float32Array | undefined,
): Ranked {
  const { scope, weights } = input;
  let number = 0;
  while (row >= (scope.bases[number + 1] ?? 0)) number += 1;
  const { segment } = scope.parts[number] as ScopePart;
  const base = scope.bases[number] ?? 0;
  const slot = row - base;
  const cosine = input.cosines?.[row] ?? Number.NaN;
  const explanation: Explanation = {
    lexical: lexical?.[row] ?? 0,
    dense: dense?.[row] ?? 0,
    context: contextOf(segment, slot, base, lexical, dense, weights),
    time: timeOf(segment, slot, input),
    hint: hintOf(segment, slot, input),
    pin: pinOf(segment, slot, input),
    recency: recencyOf(segment, slot, input),
    cosine: Number.isNaN(cosine) ? null : cosine,
  };
  const { cosine: _, ...parts } = explanation;
  const raw = Object.values(parts).reduce((sum, part) => sum + part, 0);
  const score = raw > 0 ? 1 - Math.exp(-1.5 * raw) : 0;
  return { segmentNumber: number, seq: segment.seqs[slot] ?? 0, score, explanation };
}

/** The greatest few of all rows or, with `pinnedFirst`, of the pinned ones and then of the others. */
class BestRows {
  readonly #limit: number;
  readonly #others: Best;
  readonly #pinned: Best;

  constructor(limit: number, pinnedFirst: boolean) {
    this.#limit = limit;
    this.#others = new Best(limit);
    this.#pinned = pinnedFirst ? new Best(limit) : this.#others;
  }

  offer(raw: number, row: number, isPinned: boolean): void {
    (isPinned ? this.#pinned : this.#others).offer(raw, row);
  }

  rows(): number[] {
    const others = this.#others.rows();
    return this.#pinned === this.#others ? others : [...this.#pinned.rows(), ...others].slice(0, this.#limit);
  }
}

/** Keeps the greatest few; of equals, the later row. */
class Best {
  readonly #limit: number;
  #entries: { raw: number; row: number }[] = [];
  #least = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(raw: number, row: number): void {
    if (raw < this.#least) return;
    this.#entries.push({ raw, row });
    if (this.#entries.length >= 2 * this.#limit + 64) this.#prune();
  }

  rows(): number[] {
    this.#prune();
    return this.#entries.map(({ row }) => row);
  }

  #prune(): void {
    this.#entries.sort((a, b) => b.raw - a.raw || b.row - a.row);
    this.#entries.length = Math.min(this.#entries.length, this.#limit);
    if (this.#entries.length === this.#limit) this.#least = this.#entries.at(-1)?.raw ?? this.#least;
  }
}
