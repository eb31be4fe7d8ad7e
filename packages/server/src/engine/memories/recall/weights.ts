/**
 * How recall weighs what it finds. Chosen once on half of a set of conversations and checked on the other half and on
 * other kinds of text; none of them is on a knife's edge (see docs/guide/recall.md).
 */
export interface RecallWeights {
  /** BM25: how fast repetitions stop counting, and how much long texts are held back. */
  k1: number;
  b: number;
  /** The query names somebody who speaks here, and nobody else said this; `label`: what a named speaker is worth where candidates are looked up by words. */
  speaker: number;
  label: number;
  /** Share of the word arm when both arms are sure; the rest is the meaning arm's. */
  lexicalShare: number;
  /** Above 1: the best of the word arm stand out more. */
  lexicalPower: number;
  /** The word arm is sure when its best result covers the query's rare words; with more than `confidenceTerms` words it need not cover all. */
  confidencePower: number;
  confidenceTerms: number;
  /** The meaning arm is sure when its best cosine is this far above the scope's mean. */
  denseSpread: number;
  /** Short texts are close to anything: their cosine is held back. */
  shortAbsolute: number;
  shortRelative: number;
  /** Neighbours in a session: next to it, more when the one before asks, two away; not for long texts. */
  near: number;
  answer: number;
  far: number;
  longText: number;
  /** Words of the query that a row lacks and neighbours have, all of them together. */
  completing: number;
  /** Time: the memory's date fits one that the query names; it has words of time and the query asks when. */
  time: number;
  timeWord: number;
  /** Held back when it only asks and the query asks too. */
  asking: number;
  /** Cosine from which a memory that shares no word with the query counts as found: `lowFloor` once the best cosine or the word arm's sureness shows that the scope knows what is asked for. Both grow with every factor of ten above 1000 memories. */
  floor: number;
  lowFloor: number;
  sureCosine: number;
  sureLexical: number;
  floorGrowth: number;
  /** Names in a greater share of memories say who, not what: they are not embedded with the query. */
  labelShare: number;
  nameShare: number;
  /** Added for a pinned memory that was found, and for one that is new; recency halves every `recencyHalfLifeDays`. */
  pin: number;
  recency: number;
  recencyHalfLifeDays: number;
}

export const defaultWeights: RecallWeights = {
  k1: 0.9,
  b: 0.4,
  speaker: 0.33,
  label: 3,
  lexicalShare: 0.55,
  lexicalPower: 1.5,
  confidencePower: 1.5,
  confidenceTerms: 4,
  denseSpread: 0.6,
  shortAbsolute: 3.5,
  shortRelative: 0.25,
  near: 0.35,
  answer: 0.3,
  far: 0.3,
  longText: 60,
  completing: 0.22,
  time: 0.35,
  timeWord: 0.22,
  asking: 0.09,
  floor: 0.3,
  lowFloor: 0.25,
  sureCosine: 0.38,
  sureLexical: 0.5,
  floorGrowth: 0.05,
  labelShare: 0.1,
  nameShare: 0.35,
  pin: 0.15,
  recency: 0,
  recencyHalfLifeDays: 30,
};
