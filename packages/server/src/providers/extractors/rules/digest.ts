import { englishStopWords } from '@memhall/core';
import {
  type ConversationDigest,
  type ConversationMessage,
  maxDigestLength,
  maxKeywords,
} from '../../../ports/extractor.js';
import { wordsOf } from './compare.js';
import { isSecret } from './refusals.js';
import { sentencesOf } from './split-clauses.js';

/** A sentence of the conversation that may stand in a digest. */
interface Line {
  text: string;
  message: number;
  start: number;
}

/** Where a fact or something taken back was said. */
export interface Spot {
  message: number;
  sentence: number;
}

const longestLine = 240;
const shortestLine = 8;
const courtesies = new Set(
  'hi hello hey thanks thank thx please pls ok okay yes yeah yep no nope sure great good nice cool perfect fine lol want need like know get got make made use help tell give say said think thing things way really just also can could would should may might must will let one two much many lot well back see look time today here there something anything still even already maybe actually work works btw dont im ive its thats going come sorry new now'.split(
    ' ',
  ),
);

/** Gathers what a digest is made of, message by message, in order. */
export class DigestSource {
  readonly #lines: Line[] = [];
  readonly #weights = new Map<string, number>();

  /** `own` is what the user says themself, at the places where they say it. */
  addUser(own: string, message: number): void {
    for (const { text, start } of sentencesOf(own)) {
      if (isSecret(text)) continue;
      if (text.length >= shortestLine) this.#lines.push({ text, message, start });
      this.#count(text, 2);
    }
  }

  addAssistant(content: string): void {
    for (const { text } of sentencesOf(content)) if (!isSecret(text)) this.#count(text, 1);
  }

  #count(text: string, weight: number): void {
    for (const word of wordsOf(text)) {
      const plain = word.replace(/'\p{L}+$/u, '');
      if (plain.length < 3 || plain.length > 40 || /^\d+$/.test(plain)) continue;
      if (englishStopWords.has(word) || englishStopWords.has(plain) || courtesies.has(plain)) continue;
      this.#weights.set(plain, (this.#weights.get(plain) ?? 0) + weight);
    }
  }

  /** Null when the user said nothing that can be shown. */
  compose(
    messages: readonly ConversationMessage[],
    said: readonly Spot[],
    withdrawn: readonly Spot[],
  ): ConversationDigest | null {
    const gone = new Set(withdrawn.map(spotKey));
    const lines = this.#lines.filter(({ message, start }) => !gone.has(spotKey({ message, sentence: start })));
    const chosen = choose(lines, new Set(said.map(spotKey)));
    const [first, last] = [chosen[0], chosen.at(-1)];
    if (first === undefined || last === undefined) return null;
    return {
      text: chosen.map(({ text }) => shorten(text)).join(' '),
      keywords: this.#keywords(),
      messageIds: [...new Set(chosen.map(({ message }) => messages[message]?.id ?? ''))],
      span: { start: first.message, end: last.message },
    };
  }

  /** Of equal weight the one that was said first. */
  #keywords(): string[] {
    return [...this.#weights]
      .sort(([, a], [, b]) => b - a)
      .slice(0, maxKeywords)
      .map(([word]) => word);
  }
}

/** What was asked first, what was told and decided, what was asked last; as much as fits, in the order of the conversation. */
function choose(lines: readonly Line[], facts: ReadonlySet<string>): Line[] {
  const asks = lines.filter(({ text }) => text.endsWith('?'));
  const told = lines.filter(({ message, start }) => facts.has(spotKey({ message, sentence: start })));
  const firstTurn = lines.filter(({ message }) => message === lines[0]?.message);
  const opening = firstTurn.find(({ text }) => text.endsWith('?')) ?? longest(firstTurn);
  const wanted = new Set([opening, ...told, asks.at(-1)]);
  const chosen = new Set<Line>();
  let room = maxDigestLength;
  for (const line of wanted) {
    const length = line === undefined ? 0 : shorten(line.text).length + 1;
    if (line === undefined || length - 1 > room) continue;
    chosen.add(line);
    room -= length;
  }
  return lines.filter((line) => chosen.has(line));
}

function longest(lines: readonly Line[]): Line | undefined {
  return lines.reduce<Line | undefined>(
    (best, line) => (line.text.length > (best?.text.length ?? 0) ? line : best),
    undefined,
  );
}

/** Cut at a space where there is one, never inside a character. */
function shorten(text: string): string {
  if (text.length <= longestLine) return text;
  const cut = text.slice(0, longestLine - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > longestLine / 2 ? cut.slice(0, space) : cut.replace(/[\ud800-\udbff]$/, '')).trimEnd()}…`;
}

function spotKey({ message, sentence }: Spot): string {
  return `${message}:${sentence}`;
}
