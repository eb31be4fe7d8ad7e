import type { KnownFact } from '../../../ports/extractor.js';
import type { Candidate } from './candidate.js';
import { contentWords, sameWords } from './compare.js';
import { matchClause } from './match-clause.js';

const corrected =
  /^(?:it'?s|it is|it should be|that should be|should be|make (?:it|that)|i meant|i mean)?\s*(?:actually |really |now )?(?<value>[\p{L}\p{N}][^,;]{0,60}?)(?:,? (?:and )?not (?<old>[^,;]{1,60}))?$/iu;
const swapped = /^(?:it'?s |i meant )?not (?<old>[^,;]{1,60}?),? but (?<value>[^,;]{1,60})$/iu;
const longestValue = 5;

/**
 * A correction that only makes sense with what it corrects ("sorry, I meant Lyon"): the earlier clause, with the new
 * value in the place of the old one. Every word in it was said.
 */
export function correctedBy(
  { point, corrects }: { point: string; corrects: boolean },
  standing: readonly Candidate[],
  message: number,
  previousTurn: number,
): Candidate | undefined {
  const groups = (swapped.exec(point) ?? corrected.exec(point))?.groups;
  const value = groups?.value?.trim();
  if (groups === undefined || value === undefined || value.split(/\s+/u).length > longestValue) return undefined;
  const old = groups.old?.trim();
  if (old === undefined && !corrects) return undefined;
  const earlier = standing.findLast(
    (candidate) =>
      (old === undefined ? candidate.messages.some((at) => at === message || at === previousTurn) : true) &&
      findWords(candidate.text, old ?? candidate.value) !== -1,
  );
  const replaced = earlier && (old ?? earlier.value);
  if (earlier === undefined || replaced === undefined || !isSameShape(replaced, value)) return undefined;
  if (replaced.split(/\s+/u).length > longestValue) return undefined;
  const at = findWords(earlier.text, replaced);
  return {
    ...earlier,
    text: earlier.text.slice(0, at) + value + earlier.text.slice(at + replaced.length),
    value,
    messages: [...earlier.messages, message],
    weights: [{ reason: 'corrected', change: 0.04 }],
    corrects: true,
    supersedes: earlier.text,
  };
}

function findWords(text: string, words: string): number {
  if (words === '') return -1;
  const at = text.toLowerCase().indexOf(words.toLowerCase());
  const inside = (index: number) => /[\p{L}\p{N}]/u.test(text[index] ?? '');
  return at === -1 || text.length !== text.toLowerCase().length || inside(at - 1) || inside(at + words.length)
    ? -1
    : at;
}

/** A number for a number, a name for a name; and something else than before. */
function isSameShape(old: string, value: string): boolean {
  if (value.toLowerCase().includes(old.toLowerCase())) return false;
  if (/^\d/.test(old) || /^\d/.test(value)) return /\d/.test(old) && /\d/.test(value);
  return /^\p{Lu}/u.test(old) === /^\p{Lu}/u.test(value);
}

const turning = /\b(?:no longer|any ?more|now|instead|used to|these days|changed my mind|switched|not)\b/iu;

/** A fact that is already there, with what the rules make of it. */
export interface Reading {
  text: string;
  kind: string;
  slot: string | undefined;
  value: string;
  words: ReadonlySet<string>;
}

/** Undefined where no rule reads it. It was said in no message of this conversation. */
export function toCandidate({ kind, text }: KnownFact): Candidate | undefined {
  const { candidate } = matchClause(toFirstPerson(text), {
    lowerCaseWriter: false,
    message: -1,
    sentence: -1,
    request: 'none',
  });
  return candidate && { ...candidate, kind, text, messages: [] };
}

export function readKnown(fact: KnownFact): Reading {
  const candidate = toCandidate(fact);
  return { ...fact, slot: candidate?.slot, value: candidate?.value ?? '', words: contentWords(fact.text) };
}

export function readCandidate({ kind, text, slot, value }: Candidate): Reading {
  return { text, kind, slot, value, words: contentWords(text) };
}

/** Others may have written "The user lives in …". */
function toFirstPerson(text: string): string {
  return text
    .replace(/^(?:the )?user'?s\b/iu, 'My')
    .replace(/^(?:the )?user is\b/iu, "I'm")
    .replace(/^(?:the )?user has\b/iu, 'I have')
    .replace(
      /^(?:the )?user ((?:\p{L}+ly )?\p{L}{3,12}?)e?s\b/iu,
      (whole, verb: string) => `I ${verb}${/[iv]$|us$|k$/.test(verb) && whole.endsWith('es') ? 'e' : ''}`,
    );
}

/** Both say the same. */
export function repeats(fact: Reading, other: Reading): boolean {
  if (fact.slot !== undefined && fact.slot === other.slot && fact.value !== '' && sameWords(fact.value, other.value))
    return true;
  return sameWords(fact.text, other.text);
}

/** Whether a fact says that another no longer holds: by taking its slot, by naming it, or by turning from it. */
export function corrects(fact: Reading & Pick<Candidate, 'corrects' | 'replaced' | 'rule'>, other: Reading): boolean {
  if (fact.kind !== other.kind) return false;
  if (fact.slot !== undefined && fact.slot === other.slot && fact.value !== '' && other.value !== '') return true;
  if (fact.replaced !== undefined && sharesWord(contentWords(fact.replaced), other.words)) return true;
  const turns = fact.corrects || turning.test(fact.text) || fact.rule === 'identity.left employer';
  return turns && sharesWord(fact.words, other.words);
}

function sharesWord(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const word of words) if (others.has(word)) return true;
  return false;
}
