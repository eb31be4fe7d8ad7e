import { analyseText } from '../analysis/analyse-text.js';
import type { Language } from '../analysis/language.js';
import { hashLabel, hashTerm } from '../analysis/packed-terms.js';
import { type TimeSpan, timeSpans } from '../analysis/time-spans.js';
import { withoutFrame } from './query-frame.js';
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
  /** Whether it asks what an assistant said. */
  asksAssistant: boolean;
  /** Whether those who ask speak of themselves. */
  isOwn: boolean;
  /** The text to embed: the query without the names of the main speakers. */
  embedText: string;
  /** Whether it is a message of many words rather than a question. */
  isMessage: boolean;
  /** Of a message, its sentences, to be embedded too; empty for a question. */
  sentences: string[];
}

const asksWhen = /^\s*(?:when|how long|since when|until when)\b|\b(?:what|which) (?:date|day|month|year|time)\b/i;
const asks =
  /\?\s*$|^\s*(?:who|whom|whose|what|which|when|where|why|how|do|does|did|is|are|was|were|has|have|had|can|could|will|would|should)\b/i;
const asksAssistant =
  /\b(?:did|have|had) you\b|\byou(?:['’]ve| have| had)? (?:said|told|recommended|suggested|mentioned|gave|given|wrote|advised|explained|provided|listed|described|proposed|answered)\b|\byour (?:advice|answer|recommendations?|suggestions?|explanation|reply)\b|\b(?:assistant|chatbot|AI) (?:said|told|recommended|suggested|mentioned|gave|wrote|advised|explained|provided|listed|described|proposed|answered|says?)\b/i;
/** "My plans" is about the one who asks, "show me" is not. */
const own = /\b(?:I|I['’](?:m|ve|d|ll)|my|mine|me|myself|we|our|ours|us)\b/i;
const toMe = /\b(?:give|help|let|provide|remind|send|show|teach|tell|walk) (?:me|us)\b/gi;
const word = /[\p{L}\p{M}\p{N}]+(?:['’]s\b)?/gu;
const sentenceEnd = /(?<=[.!?])\s+|(?<=[。！？])/u;
/** A greeting or an "All right." has fewer words that count. */
const sentenceTerms = 2;
/** Each one is embedded and compared with all memories. */
const mostSentences = 8;
/** Below this many memories, a share is meaningless. */
const smallScope = 10;
/** Fewer memories do not make a main speaker. */
const mainSpeaker = 5;

/**
 * Further words of a long query count only through its embedding, because every word is searched for in every memory.
 */
const mostWords = 256;

/** In "What does X mean?" and the like, only X is what to look for. */
const meaningOf = /^(\s*what (?:do|does|did) .+?) (?:mean|stand for)\b(?=\W*$)/i;

function queryWords(text: string, language: Language): string[] {
  const asked = askedAbout(text, language);
  const subject = meaningOf.exec(asked)?.[1] ?? asked;
  const terms = analyseText(subject, language);
  return [...new Set(terms.length > 0 ? terms : analyseText(text, language))].slice(0, mostWords);
}

/** Returns the query without what says how to answer it, unless that is all there is. */
function askedAbout(text: string, language: Language): string {
  const bare = withoutFrame(text);
  return analyseText(bare, language).length > 0 ? bare : text;
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
    asksAssistant: asksAssistant.test(text),
    isOwn: own.test(text.replaceAll(toMe, ' ')),
    embedText: text,
    isMessage: false,
    sentences: [],
  };
  const labels = new Set<number>();
  let whole = 0;
  const terms = queryWords(text, language);
  const isSpeaker = speakerTest(text, language, statistics, weights);
  for (const term of terms) {
    const rarity = inverseFrequency(statistics, hashTerm(term));
    plan.weights.set(hashTerm(term), rarity);
    whole += rarity;
    if (!dated.has(term)) {
      plan.mass += rarity;
      plan.terms += 1;
    }
    if (isSpeaker(term)) {
      plan.weights.set(hashLabel(term), weights.label);
      labels.add(hashLabel(term));
    }
  }
  plan.embedText = withoutNames(askedAbout(text, language), language, { statistics, weights, isSpeaker });
  if (plan.terms >= weights.messageTerms) {
    plan.sentences = sentencesOf(text, language);
    plan.isMessage = plan.sentences.length > 0 || !plan.asks;
  }
  return plan.mass > 0 ? { ...plan, labels } : { ...plan, labels, mass: whole, terms: terms.length };
}

/** Returns the first sentences that say something; none of a text that is a single sentence. */
function sentencesOf(text: string, language: Language): string[] {
  const sentences = text.split(sentenceEnd).filter((one) => analyseText(one, language).length >= sentenceTerms);
  return sentences.length < 2 ? [] : sentences.slice(0, mostSentences);
}

/**
 * Returns whether a word of the query names a speaker. `Deadline: …` begins like a turn of somebody, so a word in lower case or at the
 * start of the query is only a name if many memories begin with it.
 */
function speakerTest(text: string, language: Language, { count, frequency }: ScopeStatistics, weights: RecallWeights) {
  const names = new Set<string>();
  for (const { 0: found, index } of text.matchAll(word))
    if (index > 0 && /^\p{Lu}/u.test(found)) for (const term of analyseText(found, language)) names.add(term);
  const many = Math.max(mainSpeaker, weights.labelShare * count);
  return (term: string) => {
    const said = frequency(hashLabel(term));
    return said > 0 && (names.has(term) || said >= many);
  };
}

function inverseFrequency({ count, frequency }: ScopeStatistics, hash: number): number {
  const occurrences = frequency(hash);
  return Math.log(1 + (count - occurrences + 0.5) / (occurrences + 0.5));
}

/** Removes the names of a scope's main speakers, which say who and not what. They are matched by label instead. */
function withoutNames(
  text: string,
  language: Language,
  {
    statistics: { count, frequency },
    weights,
    isSpeaker,
  }: { statistics: ScopeStatistics; weights: RecallWeights; isSpeaker: (term: string) => boolean },
): string {
  const bare = text
    .replaceAll(word, (found) => {
      const terms = analyseText(found, language);
      const [term] = terms;
      if (term === undefined || terms.length > 1 || count === 0) return found;
      const share = frequency(hashTerm(term)) / count;
      const isMain = isSpeaker(term) && share > weights.labelShare;
      const isName = count >= smallScope && share > weights.nameShare && /^\p{Lu}/u.test(found);
      return isMain || isName ? '' : found;
    })
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([?.!,;:])/g, '$1')
    .trim();
  return analyseText(bare, language).length > 0 ? bare : text;
}
