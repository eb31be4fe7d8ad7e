import {
  type ConversationDigest,
  type ConversationMessage,
  maxDigestLength,
  maxKeywords,
} from '../../../ports/extractor.js';
import { wordsOf } from './compare.js';
import { languageOf } from './languages/language-of.js';
import { isSecret, withdraws } from './refusals.js';
import { sentencesOf } from './split-clauses.js';

/** A sentence of the user that may appear in a digest. */
interface Line {
  text: string;
  message: number;
  start: number;
}

/** Where a fact or a withdrawn statement was made. */
export interface Spot {
  message: number;
  sentence: number;
}

const longestLine = 240;
/** Shorter sentences are exclamations. */
const fewestWords = 3;
const centralLines = 2;
/** Questions describe a conversation better than remarks. */
const questionBonus = 1.3;
const userWeight = 2;
const assistantWeight = 1;

const courtesies = new Set(
  `
  hi hello hey thanks thank thx please pls ok okay yes yeah yep no nope sure great good nice cool perfect fine lol want
  need like know get got make made use help tell give say said think thing things way really just also can could would
  should may might must will let one two much many lot well back see look time today here there something anything still
  even already maybe actually work works btw dont im ive its thats going come sorry new now hear feel feeling keep wow
  awesome love hate prefer remember always never right without take taking making getting find sounds noted else hope hmm
  try tried trying forget understood happy enjoy
  `
    .trim()
    .split(/\s+/),
);

type Weights = Map<string, number>;

/** Collects the material for a digest, message by message, in order. */
export class DigestSource {
  readonly #lines: Line[] = [];
  readonly #fromAssistant: Weights = new Map();

  /** `own` is the user's own text, at its original positions. */
  addUser(own: string, message: number): void {
    for (const { text, start } of sentencesOf(own)) {
      if (!isSecret(text) && !withdraws(text)) this.#lines.push({ text, message, start });
    }
  }

  addAssistant(content: string): void {
    for (const { text } of sentencesOf(content)) {
      if (!isSecret(text)) countWords(text, assistantWeight, this.#fromAssistant);
    }
  }

  /** Returns null if the user said nothing that can be shown. */
  compose(
    messages: readonly ConversationMessage[],
    said: readonly Spot[],
    withdrawn: readonly Spot[],
  ): ConversationDigest | null {
    const gone = new Set(withdrawn.map(spotKey));
    const lines = this.#lines.filter(({ message, start }) => !gone.has(spotKey({ message, sentence: start })));
    const weights: Weights = new Map();
    for (const { text } of lines) countWords(text, userWeight, weights);
    for (const [word, weight] of this.#fromAssistant) weights.set(word, (weights.get(word) ?? 0) + weight);
    const chosen = choose(lines, new Set(said.map(spotKey)), weights);
    const [first, last] = [chosen[0], chosen.at(-1)];
    if (first === undefined || last === undefined) return null;
    return {
      text: chosen.map(({ text }) => shorten(text)).join(' '),
      keywords: heaviest(weights),
      messageIds: [...new Set(chosen.flatMap(({ message }) => messages[message]?.id ?? []))],
      span: { start: first.message, end: last.message },
    };
  }
}

function countWords(text: string, weight: number, weights: Weights): void {
  const { stopWords } = languageOf(text);
  for (const word of wordsOf(text)) {
    const plain = word.replace(/'\p{L}+$/u, '');
    if (plain.length < 3 || plain.length > 40 || /^\d+$/.test(plain)) continue;
    if (stopWords.has(word) || stopWords.has(plain) || courtesies.has(plain)) continue;
    weights.set(plain, (weights.get(plain) ?? 0) + weight);
  }
}

/** Heaviest first; among equals, the word that was said first. */
function heaviest(weights: Weights): string[] {
  return [...weights]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxKeywords)
    .map(([word]) => word);
}

/**
 * Chooses the user's opening, their facts and decisions, and then the most central sentences; as many as fit, in
 * conversation order.
 */
function choose(lines: readonly Line[], facts: ReadonlySet<string>, weights: Weights): Line[] {
  const byWeight = lines
    .map((line) => ({ line, weight: weigh(line.text, weights) }))
    .sort((a, b) => b.weight - a.weight)
    .map(({ line }) => line);
  const opening = byWeight.filter(({ message }) => message === lines[0]?.message).slice(0, 1);
  const told = lines.filter(({ message, start }) => facts.has(spotKey({ message, sentence: start })));
  const chosen = new Set<Line>();
  let room = maxDigestLength;
  for (const line of new Set([...opening, ...told, ...byWeight.slice(0, centralLines)])) {
    const { length } = shorten(line.text);
    if (length > room) continue;
    chosen.add(line);
    room -= length + 1;
  }
  return lines.filter((line) => chosen.has(line));
}

/** Returns how central a text is to the conversation, relative to its length. */
function weigh(text: string, weights: Weights): number {
  const words = new Set(wordsOf(text));
  if (words.size < fewestWords) return 0;
  const sum = [...words].reduce((total, word) => total + (weights.get(word) ?? 0), 0);
  return (sum / Math.sqrt(words.size)) * (text.endsWith('?') ? questionBonus : 1);
}

/**
 * Shortens a text to the maximum length of a digest line. Cuts at a space if possible, and never inside a character.
 */
export function shorten(text: string): string {
  if (text.length <= longestLine) return text;
  const cut = text.slice(0, longestLine - 1);
  const space = cut.lastIndexOf(' ');
  const whole = space > longestLine / 2 ? cut.slice(0, space) : cut.replace(/[\ud800-\udbff]$/, '');
  return `${whole.trimEnd()}…`;
}

function spotKey({ message, sentence }: Spot): string {
  return `${message}:${sentence}`;
}
