import { type Signals, signalNames } from './read-signals.js';

/** How much signals, pairs of signals, words and pairs of words count, in the same unit as the bias. */
export interface Weights {
  bias: number;
  signalCount: number;
  /** For each signal its own weight, and for each pair of signals `a < b` theirs, at `a * signalCount + b`. */
  signals: ArrayLike<number>;
  words: ArrayLike<number>;
  pairs: ArrayLike<number>;
  /** Of a word that belongs to no class. */
  plain: number;
}

/** Neighbouring segments that are weighed together. */
const mostSegments = 3;
/** Fewer signals are never refused, so most sentences need not be weighed. */
const fewestSignals = 3;

/** One of these must be there: without them nobody is told to do anything. */
const appeals = new Set(
  signalNames.flatMap((name, signal) =>
    /, ordered|^(?:you|must|secrecy|persist|trigger|free|switched|header|fresh)$/.test(name) ? [signal] : [],
  ),
);

/** Segments `first` to `last` and the signals in them, without repeats. */
interface Passage {
  first: number;
  last: number;
  signals: readonly number[];
}

/** Returns every run of up to three segments of a paragraph that has enough signals. */
export function* passagesOf({ signals, startsParagraph }: Signals): Generator<Passage> {
  for (let last = 0; last < signals.length; last++) {
    let together = signals[last] ?? [];
    for (let first = last; ; first--) {
      if (together.length >= fewestSignals && together.some((signal) => appeals.has(signal)))
        yield { first, last, signals: together };
      if (startsParagraph[first] || last - first + 1 === mostSegments) break;
      together = [...new Set([...together, ...(signals[first - 1] ?? [])])];
    }
  }
}

/** Sums of the weights of all words before an index, so that a passage is weighed without reading its words again. */
export function sumWords({ words, pairs, plain }: Signals, weights: Weights): Float64Array {
  const sums = new Float64Array(words.length + 1);
  let sum = 0;
  for (let index = 0; index < words.length; index++) {
    const pair = pairs[index] ?? 0;
    sum += (plain[index] ?? 0) * weights.plain;
    sum += (weights.words[words[index] ?? 0] ?? 0) + (pair === 0 ? 0 : (weights.pairs[pair] ?? 0));
    sums[index + 1] = sum;
  }
  return sums;
}

/** Returns how much a passage looks like an order to a model: above 0 it is one. */
export function weigh(passage: Passage, { starts }: Signals, sums: Float64Array, weights: Weights): number {
  const { bias, signalCount, signals: table } = weights;
  const { signals } = passage;
  let sum = bias + (sums[starts[passage.last + 1] ?? 0] ?? 0) - (sums[starts[passage.first] ?? 0] ?? 0);
  for (let one = 0; one < signals.length; one++) {
    const a = signals[one] ?? 0;
    sum += table[a * signalCount + a] ?? 0;
    for (let other = one + 1; other < signals.length; other++) {
      const b = signals[other] ?? 0;
      sum += table[a < b ? a * signalCount + b : b * signalCount + a] ?? 0;
    }
  }
  return sum;
}
