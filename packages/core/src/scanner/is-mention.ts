import { isOrder } from './is-order.js';
import { sentenceDistance, type Tokens } from './tokenise.js';
import { toWordSet } from './word-set.js';

const opening = /["'`«„“「『]/;
const closing = /["'`»“”」』]/;
const wordsInQuotationMarks = 7;
const wordsAround = 12;

/** Before a quotation, these words mean that the text talks about it. */
const cues = toWordSet(`phrase phrases words string strings sentence sentences example examples payload payloads attack
  attacks attacker attackers jailbreak jailbreaks injection injections pattern patterns filter filters input inputs test tests reads slogan motto title called such
  beispiel beispiele satz angriff ejemplo frase ataque exemple attaque esempio exemplo пример фраза атака 例 攻`);
/** Near a quotation, an order with one of these verbs means that the quotation is to be acted on. */
const vetoes = toWordSet('follow obey execute comply heed do run apply perform befolge obedece obéis выполни 执');

/**
 * Returns whether words `first` to `last` are a short quotation that the sentence talks about: `Phrases like "…" are
 * easy to find.` The quotation must end soon, so that no orders can follow inside it.
 */
export function isMention(tokens: Tokens, first: number, last: number): boolean {
  if (tokens.hidden[first]) return false;
  const open = findOpening(tokens, first);
  if (open === undefined || !isClosedAfter(tokens, last)) return false;
  const before = wordsNear(tokens, open, -1, endsSentence);
  const isCued =
    before.some((index) => cues.has(tokens.words[index] ?? '')) || cues.has(wordAfterClosing(tokens, last));
  if (!isCued) return false;
  return ![...before, ...wordsNear(tokens, last, 1, endsParagraph)].some(
    (index) => vetoes.has(tokens.words[index] ?? '') && isOrder(tokens, index, false),
  );
}

type Boundary = (tokens: Tokens, index: number) => boolean;

/** Returns whether a sentence ends between the words `index` and `index + 1`. */
function endsSentence({ positions }: Tokens, index: number): boolean {
  return (positions[index + 1] ?? 0) - (positions[index] ?? 0) > sentenceDistance;
}

function endsParagraph({ text, starts, ends }: Tokens, index: number): boolean {
  return /\n\s*\n/.test(text.slice(ends[index], starts[index + 1]));
}

/** Returns the indices of up to `wordsAround` words before or after `from`, up to a boundary. */
function wordsNear(tokens: Tokens, from: number, step: 1 | -1, isBoundary: Boundary): number[] {
  const places = [];
  for (let index = from + step; places.length < wordsAround; index += step) {
    if (tokens.words[index] === undefined || isBoundary(tokens, step === 1 ? index - 1 : index)) break;
    places.push(index);
  }
  return places;
}

/** Returns the index of the first word inside the quotation marks. */
function findOpening(tokens: Tokens, first: number): number | undefined {
  for (let index = first; index >= 0 && index > first - wordsInQuotationMarks; index--) {
    const end = tokens.starts[index] ?? 0;
    const gapStart = Math.max(tokens.ends[index - 1] ?? 0, end - 8);
    if (opening.test(tokens.text.slice(gapStart, end))) return index;
    if (index > 0 && endsSentence(tokens, index - 1)) return undefined;
  }
  return undefined;
}

/** Returns the word that follows the end of the quotation: `the "…" attack`. */
function wordAfterClosing(tokens: Tokens, last: number): string {
  for (let index = last; index < tokens.words.length && index < last + wordsInQuotationMarks; index++) {
    const start = tokens.ends[index] ?? 0;
    if (closing.test(tokens.text.charAt(start))) return tokens.words[index + 1] ?? '';
  }
  return '';
}

function isClosedAfter(tokens: Tokens, last: number): boolean {
  for (let index = last; index < tokens.words.length && index < last + wordsInQuotationMarks; index++) {
    const start = tokens.ends[index] ?? 0;
    const gapEnd = Math.min(tokens.starts[index + 1] ?? tokens.text.length, start + 8);
    if (closing.test(tokens.text.slice(start, gapEnd))) return true;
    if (endsSentence(tokens, index)) return false;
  }
  return false;
}
