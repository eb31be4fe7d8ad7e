import { isMention } from './is-mention.js';
import { isOrder } from './is-order.js';
import type { Part, PhraseRule } from './phrase-rule.js';
import type { Finding } from './scan-verdict.js';
import type { Tokens } from './tokenise.js';
import { WordTree } from './word-tree.js';

/** A part of a sequence, stored at the node where its words end. The parts of a sequence have consecutive numbers. */
interface Slot {
  rule: PhraseRule;
  part: Part;
  /** Index of this part among all parts of all sequences. */
  number: number;
  isFirst: boolean;
  isLast: boolean;
}

interface Vocabulary {
  tree: WordTree<Slot>;
  slotCount: number;
}

export function toVocabulary(rules: readonly PhraseRule[]): Vocabulary {
  const tree = new WordTree<Slot>();
  let number = 0;
  for (const rule of rules) {
    for (const sequence of rule.sequences) {
      for (const [index, part] of sequence.entries()) {
        const slot = { rule, part, number, isFirst: index === 0, isLast: index === sequence.length - 1 };
        for (const phrase of part.words) tree.add(phrase, slot);
        number++;
      }
    }
  }
  return { tree, slotCount: number };
}

/**
 * Finds the first complete sequence. For each part only the latest occurrence is kept: if an earlier one is near enough
 * to the next part, the latest one is too. So the work per word does not depend on the preceding text.
 * @param words the words of the text, disguised ones corrected
 */
export function findPhrase(
  tokens: Tokens,
  words: readonly string[],
  { tree, slotCount }: Vocabulary,
  isCapital: CapitalTest,
): Finding | undefined {
  const reading = new Reading(tokens, slotCount);
  for (let index = 0; index < words.length; index++) {
    let node = tree.root.next.get(words[index] ?? '');
    for (let last = index; node !== undefined; node = node.next.get(words[++last] ?? '')) {
      for (const slot of node.values) {
        const first = reading.startOf(slot, index);
        if (first === undefined || !fits(tokens, slot.part, index, last, isCapital)) continue;
        if (slot.isLast && !isMention(tokens, first, last)) {
          return { rule: slot.rule, foldedOffset: tokens.starts[first] ?? 0 };
        }
        reading.keep(slot, first, last);
      }
    }
  }
  return undefined;
}

/** Returns whether the original text is in capitals between two offsets of the folded text. */
type CapitalTest = (start: number, end: number) => boolean;

/** Stores, for every part of every sequence, its last occurrence and the start of that sequence. */
class Reading {
  readonly #tokens: Tokens;
  readonly #firstWords: Int32Array;
  readonly #lastWords: Int32Array;
  #judged = -1;
  #isOrder = false;
  #isStrictOrder = false;

  constructor(tokens: Tokens, slotCount: number) {
    this.#tokens = tokens;
    this.#firstWords = new Int32Array(slotCount).fill(-1);
    this.#lastWords = new Int32Array(slotCount).fill(-1);
  }

  /** Returns the start of the sequence that the part at `index` continues, or undefined if it continues none. */
  startOf({ rule, part, number, isFirst }: Slot, index: number): number | undefined {
    if (rule.isHidden && !this.#tokens.hidden[index]) return undefined;
    if (isFirst) return this.#isSaid(rule.order, index) ? index : undefined;
    const before = this.#lastWords[number - 1] ?? -1;
    if (before < 0 || before >= index) return undefined;
    const { positions } = this.#tokens;
    const distance = (positions[index] ?? 0) - (positions[before] ?? 0);
    return distance <= part.within ? this.#firstWords[number - 1] : undefined;
  }

  keep({ number }: Slot, first: number, last: number): void {
    this.#firstWords[number] = first;
    this.#lastWords[number] = last;
  }

  /** Caches the result for the current word, because many sequences start with the same word. */
  #isSaid(how: PhraseRule['order'], index: number): boolean {
    if (how === 'any') return true;
    if (this.#judged !== index) {
      this.#judged = index;
      this.#isOrder = isOrder(this.#tokens, index, true);
      this.#isStrictOrder = this.#isOrder && isOrder(this.#tokens, index, false);
    }
    return how === 'order' ? this.#isOrder : this.#isStrictOrder;
  }
}

function fits(tokens: Tokens, part: Part, index: number, last: number, isCapital: CapitalTest): boolean {
  const end = tokens.ends[last] ?? 0;
  const rest = tokens.text.slice(end, end + 24);
  if (part.unlessBefore?.test(rest) || part.onlyBefore?.test(rest) === false) return false;
  const start = tokens.starts[index] ?? 0;
  if (part.onlyAfter?.test(tokens.text.slice(Math.max(0, start - 24), start)) === false) return false;
  return !part.capitals || isCapital(start, end);
}
