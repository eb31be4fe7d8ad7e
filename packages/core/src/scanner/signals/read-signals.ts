import { isOrder } from '../is-order.js';
import { sentenceDistance, type Tokens } from '../tokenise.js';
import { WordTree } from '../word-tree.js';
import { signalClasses } from './signal-words.js';

/** Signals that are no words: an address, a word set off like a heading, text that a rendered page does not show. */
const formSignals = ['address', 'marked', 'hidden'] as const;
const classNames = Object.entries(signalClasses).flatMap(([name, { isVerb }]) =>
  isVerb ? [`${name}, ordered`, name] : [name],
);
/** Names of all signals. A verb has two: as an order to the reader, and otherwise. */
export const signalNames: readonly string[] = [...classNames, ...formSignals];
/** Number of weights for words and pairs of neighbouring words, which are found by their hash. */
export const bucketCount = 1 << 14;
/** Sentences that are longer are cut, so that a list without full stops is not one sentence. */
const longestSegment = 28;
const longestPlaceholder = 60;

interface Sign {
  signal: number;
  isVerb: boolean;
  /** Whether the class can be the heading of a forged message: `SYSTEM UPDATE:`. */
  isHeading: boolean;
}

const headings = new Set(['authority', 'header', 'fresh', 'urgent', 'mode', 'model']);
const [address, marked, hidden] = formSignals.map((name) => signalNames.indexOf(name)) as [number, number, number];
const tree = toTree();

/** What the sentences of a text say, as signals and as hashes of their words. */
export interface Signals {
  /** Index of the first word of each segment, and the number of words at the end. */
  starts: number[];
  /** The signals in each segment, without repeats. */
  signals: number[][];
  /** Whether each segment starts a paragraph. Texts that follow one another say nothing together. */
  startsParagraph: boolean[];
  /** For each word, the bucket of the word, and of the word and its predecessor (0 at the start of a segment). */
  words: Uint16Array;
  pairs: Uint16Array;
  /** For each word, 1 if it belongs to no class: the more of these, the less a passage says to a model. */
  plain: Uint8Array;
}

function toTree(): WordTree<Sign> {
  const words = new WordTree<Sign>();
  for (const [name, { isVerb = false, words: list }] of Object.entries(signalClasses)) {
    const signal = signalNames.indexOf(isVerb ? `${name}, ordered` : name);
    for (const phrase of new Set(list.split('|').map((each) => each.trim()))) {
      words.add(phrase, { signal, isVerb, isHeading: headings.has(name) });
    }
  }
  return words;
}

/**
 * Reads the signals of a text in one pass.
 * @param words the words of the text, disguised ones corrected
 */
export function readSignals(tokens: Tokens, words: readonly string[]): Signals {
  const result: Signals = {
    starts: [],
    signals: [],
    startsParagraph: [],
    words: new Uint16Array(words.length),
    pairs: new Uint16Array(words.length),
    plain: new Uint8Array(words.length).fill(1),
  };
  let segment: number[] = [];
  let start = 0;
  let before = 0;
  let placeholderEnd = 0;
  for (let index = 0; index < words.length; index++) {
    const isParagraph = index === 0 || startsParagraph(tokens, index, placeholderEnd);
    if (isParagraph || index - start >= longestSegment || endsBefore(tokens, index)) {
      start = index;
      segment = [];
      before = 0;
      result.starts.push(index);
      result.signals.push(segment);
      result.startsParagraph.push(isParagraph);
    }
    const word = words[index] ?? '';
    const hash = hashWord(word);
    result.words[index] = hash & (bucketCount - 1);
    result.pairs[index] = before === 0 ? 0 : Math.imul(before ^ Math.imul(hash, 31), 0x9e3779b1) >>> 18;
    before = hash;
    if (isPlaceholder(tokens, index)) placeholderEnd = endOfPlaceholder(tokens, index);
    if ((tokens.starts[index] ?? 0) < placeholderEnd) continue;
    if (isAddress(word, tokens, index)) addOnce(segment, address);
    const last = addSigns(segment, tokens, words, index);
    result.plain.fill(0, index, last + 1);
  }
  result.starts.push(words.length);
  return result;
}

function endsBefore({ positions }: Tokens, index: number): boolean {
  return (positions[index] ?? 0) - (positions[index - 1] ?? 0) > sentenceDistance;
}

function startsParagraph(tokens: Tokens, index: number, placeholderEnd: number): boolean {
  const { text, starts, ends } = tokens;
  const end = ends[index - 1] ?? 0;
  if (isPlaceholder(tokens, index) || (end <= placeholderEnd && (starts[index] ?? 0) >= placeholderEnd)) return true;
  return endsBefore(tokens, index) && /\n\s*\n/.test(text.slice(end, starts[index]));
}

/** What is shown instead of a withheld text separates what is around it: `[BLOCKED: prompt_injection]`. */
function isPlaceholder({ text, words, starts }: Tokens, index: number): boolean {
  return words[index] === 'blocked' && text.charAt((starts[index] ?? 0) - 1) === '[';
}

function endOfPlaceholder({ text, starts, ends }: Tokens, index: number): number {
  const start = starts[index] ?? 0;
  const length = text.slice(start, start + longestPlaceholder).indexOf(']');
  return length < 0 ? (ends[index] ?? 0) : start + length;
}

/** Adds the signals of all phrases that begin at `index`, and returns the last word of the longest of them. */
function addSigns(segment: number[], tokens: Tokens, words: readonly string[], index: number): number {
  let end = index - 1;
  let node = tree.root.next.get(words[index] ?? '');
  for (let last = index; node !== undefined; node = node.next.get(words[++last] ?? '')) {
    for (const { signal, isVerb, isHeading } of node.values) {
      end = last;
      addOnce(segment, isVerb && !isOrder(tokens, index, true) ? signal + 1 : signal);
      if (tokens.hidden[index]) addOnce(segment, hidden);
      if (isHeading && isMarked(tokens, index, last)) addOnce(segment, marked);
    }
  }
  return end;
}

function addOnce(segment: number[], signal: number): void {
  if (!segment.includes(signal)) segment.push(signal);
}

/** Returns whether words stand alone like a heading: `SYSTEM:`, `[ADMIN`, `*** IMPORTANT`. */
function isMarked({ text, starts, ends }: Tokens, first: number, last: number): boolean {
  const start = starts[first] ?? 0;
  const end = ends[last] ?? 0;
  return (
    /^\s?[:\]>}*]/.test(text.slice(end, end + 2)) || /[[<{*#|(]\s?$/.test(text.slice(Math.max(0, start - 2), start))
  );
}

function isAddress(word: string, { text, starts, ends }: Tokens, index: number): boolean {
  if (word.includes('://')) return true;
  return text.charAt(ends[index] ?? 0) === '@' && /\w/.test(text.charAt((starts[index] ?? 0) + word.length + 1));
}

/** FNV-1a. Numbers are all alike, and so are addresses. */
function hashWord(word: string): number {
  const first = word.charCodeAt(0);
  if (first >= 0x30 && first <= 0x39) return 7;
  if (word.includes('://')) return 11;
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash;
}
