import { analyseText } from '../analysis/analyse-text.js';
import type { Language } from '../analysis/language.js';
import { hashLabel, hashTerm } from '../analysis/packed-terms.js';
import { type TimeSpan, timeSpans } from '../analysis/time-spans.js';
import type { RecallWeights } from './weights.js';

/** How often terms occur in the searched memories. */
export interface ScopeStatistics {
  count: number;
  averageTerms: number;
  /** Returns the number of memories that contain the term with this hash. */
  frequency(hash: number): number;
}

export interface QueryPlan {
  /** Weight of each term of the query, by hash. The weight of labels does not depend on their rarity. */
  weights: Map<number, number>;
  labels: ReadonlySet<number>;
  /** Total weight and number of the query's words, without time expressions. */
  mass: number;
  terms: number;
  spans: TimeSpan[];
  asksWhen: boolean;
  asks: boolean;
  /** The text to embed: the query without the names of the main speakers. */
  embedText: string;
}

const asksWhen = /^\s*(?:when|how long|since when|until when)\b|\b(?:what|which) (?:date|day|month|year|time)\b/i;
const asks =
  /\?\s*$|^\s*(?:who|whom|whose|what|which|when|where|why|how|do|does|did|is|are|was|were|has|have|had|can|could|will|would|should)\b/i;
const word = /[\p{L}\p{M}\p{N}]+(?:['’]s\b)?/gu;
/** Below this many memories, a share is meaningless. */
const smallScope = 10;

/**
 * Further words of a long query count only through its embedding, because every word is searched for in every memory.
 */
const mostWords = 256;

function queryWords(text: string, language: Language): string[] {
  return [...new Set(analyseText(text, language))].slice(0, mostWords);
}

/** Returns the hashes whose frequencies a plan needs. */
export function queryHashes(text: string, language: Language): number[] {
  return queryWords(text, language).flatMap((term) => [hashTerm(term), hashLabel(term)]);
}

export function planQuery(
  text: string,
  context: { language: Language; now: number; timeZone: string; statistics: ScopeStatistics; weights: RecallWeights },
): QueryPlan {
  const { language, now, timeZone, statistics, weights } = context;
  const spans = timeSpans(text, now, timeZone);
  const dated = new Set(spans.flatMap(({ start, end }) => analyseText(text.slice(start, end), language)));
  const plan: QueryPlan = {
    weights: new Map(),
    labels: new Set(),
    mass: 0,
    terms: 0,
    spans,
    asksWhen: asksWhen.test(text),
    asks: asks.test(text),
    embedText: withoutNames(text, language, statistics, weights),
  };
  const labels = new Set<number>();
  let whole = 0;
  const terms = queryWords(text, language);
  for (const term of terms) {
    const rarity = inverseFrequency(statistics, hashTerm(term));
    plan.weights.set(hashTerm(term), rarity);
    whole += rarity;
    if (!dated.has(term)) {
      plan.mass += rarity;
      plan.terms += 1;
    }
    if (statistics.frequency(hashLabel(term)) > 0) {
      plan.weights.set(hashLabel(term), weights.label);
      labels.add(hashLabel(term));
    }
  }
  return plan.mass > 0 ? { ...plan, labels } : { ...plan, labels, mass: whole, terms: terms.length };
}

function inverseFrequency({ count, frequency }: ScopeStatistics, hash: number): number {
  const occurrences = frequency(hash);
  return Math.log(1 + (count - occurrences + 0.5) / (occurrences + 0.5));
}

/** Removes the names of a scope's main speakers, which say who and not what. They are matched by label instead. */
function withoutNames(text: string, language: Language, statistics: ScopeStatistics, weights: RecallWeights): string {
  const { count, frequency } = statistics;
  const bare = text
    .replaceAll(word, (found) => {
      const terms = analyseText(found, language);
      const [term] = terms;
      if (term === undefined || terms.length > 1 || count === 0) return found;
      const share = frequency(hashTerm(term)) / count;
      const isSpeaker = frequency(hashLabel(term)) > 0 && share > weights.labelShare;
      const isName = count >= smallScope && share > weights.nameShare && /^\p{Lu}/u.test(found);
      return isSpeaker || isName ? '' : found;
    })
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([?.!,;:])/g, '$1')
    .trim();
  return analyseText(bare, language).length > 0 ? bare : text;
}
