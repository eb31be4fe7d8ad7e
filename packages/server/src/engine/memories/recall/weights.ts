/**
 * How recall weighs its evidence. Tuned once on half of a set of conversations and verified on the other half and on
 * other kinds of text. Small changes to any weight have little effect (see docs/guide/recall.md).
 */
export interface RecallWeights {
  /** BM25: how fast repetitions saturate, and how strongly long texts are penalized. */
  k1: number;
  b: number;
  /**
   * `speaker`: bonus if the query names a speaker of this scope and the row is not by another speaker. `label`: weight
   * of a named speaker when candidates are looked up by words.
   */
  speaker: number;
  label: number;
  /**
   * Deducted from what an assistant says, unless the query asks for that: what people say about themselves matters more than a
   * long answer that repeats it. At most half of what its own words and meaning are worth. `assistantOfOwn`: if those who ask
   * speak of themselves ("Have I ever …?"); at most four fifths.
   */
  assistant: number;
  assistantOfOwn: number;
  /** Share of the word arm if both arms are sure; the rest belongs to the meaning arm. */
  lexicalShare: number;
  /** Above 1, the best rows of the word arm stand out more. */
  lexicalPower: number;
  /**
   * The word arm is sure if its best result covers the query's rare words; with more than `confidenceTerms` words it
   * need not cover all.
   */
  confidencePower: number;
  confidenceTerms: number;
  /** The meaning arm is sure if its best cosine is this far above the scope's mean. */
  denseSpread: number;
  /** Reduction of the cosine of short texts, which are similar to anything. */
  shortAbsolute: number;
  shortRelative: number;
  /**
   * Neighbours in a session: adjacent ones, more if the previous one asks a question (`answer`), and those two away
   * (`far`). Reduced for long texts.
   */
  near: number;
  answer: number;
  far: number;
  longText: number;
  /** All words of the query that a row lacks and its neighbours have, together. */
  completing: number;
  /**
   * `time`: the memory's date matches one that the query names. `timeWord`: it contains time expressions and the query
   * asks when.
   */
  time: number;
  timeWord: number;
  /** Deducted if a memory only asks a question and the query asks one too. */
  asking: number;
  /**
   * Cosine from which a memory that shares no word with the query counts as found. It grows by `floorGrowth` with every factor
   * of ten above 1000 memories, because the more there are, the more are a little similar to anything.
   */
  floor: number;
  floorGrowth: number;
  /** Names that occur in a greater share of memories say who and not what: they are not embedded with the query. */
  labelShare: number;
  nameShare: number;
  /** `pin`: added for a matching pinned memory. `recency`: added for a new one; halves every `recencyHalfLifeDays`. */
  pin: number;
  recency: number;
  recencyHalfLifeDays: number;
  /**
   * What facts say: deducted from a memory that is no longer true (`over`), of which a part is not (`partly`), or that a more trusted
   * statement contradicts (`disputed`). `past`: added for one that is no longer true if the query asks about the past.
   */
  over: number;
  partly: number;
  disputed: number;
  past: number;
  /** A query of at least `messageTerms` words is a message, unless it is a single question. */
  messageTerms: number;
  /**
   * A message often says little of what it is about: among the best `feedbackRows`, those near to the sessions of the best
   * `feedbackSeeds` gain up to `feedback`.
   */
  feedback: number;
  feedbackSeeds: number;
  feedbackRows: number;
  /** Share of a message's best sentence in its cosines: a message may say several things. */
  sentence: number;
  /** Added to the memory that the reranker rates best; those it rates lower get less, the worst nothing. */
  rerank: number;
}

export const defaultWeights: RecallWeights = {
  k1: 0.9,
  b: 0.4,
  speaker: 0.33,
  label: 3,
  assistant: 0.3,
  assistantOfOwn: 0.5,
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
  floor: 0.2,
  floorGrowth: 0.05,
  labelShare: 0.1,
  nameShare: 0.35,
  pin: 0.15,
  recency: 0,
  recencyHalfLifeDays: 30,
  over: 0.3,
  partly: 0.15,
  disputed: 0.3,
  past: 0.3,
  messageTerms: 11,
  feedback: 0.2,
  feedbackSeeds: 3,
  feedbackRows: 200,
  sentence: 0.5,
  rerank: 1,
};
