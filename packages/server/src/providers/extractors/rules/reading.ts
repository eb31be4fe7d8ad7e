import type { Candidate } from './candidate.js';
import { contentWords, toKey } from './compare.js';

/** The form in which facts are compared. */
export interface Reading {
  text: string;
  kind: string;
  slot: string | undefined;
  key: string;
  valueKey: string;
  words: ReadonlySet<string>;
}

export function toReading({ kind, text, slot, value }: Pick<Candidate, 'kind' | 'text' | 'slot' | 'value'>): Reading {
  return { text, kind, slot, key: toKey(text), valueKey: toKey(value), words: contentWords(text) };
}

/** True if the fact adds nothing to the other: "I'm Ana" after "my name is Ana Núñez". */
export function repeats(fact: Reading, other: Reading): boolean {
  return fact.key === other.key || (sharesSlot(fact, other) && ` ${other.valueKey} `.includes(` ${fact.valueKey} `));
}

function sharesSlot(fact: Reading, other: Reading): boolean {
  return fact.slot !== undefined && fact.slot === other.slot && fact.valueKey !== '' && other.valueKey !== '';
}

/** Whether a candidate makes another fact wrong: by taking its slot, by naming it, or by turning away from it. */
export function corrects(candidate: Candidate, reading: Reading, other: Reading): boolean {
  if (reading.kind !== other.kind) return false;
  if (sharesSlot(reading, other)) return true;
  if (candidate.replaced !== undefined && sharesWord(contentWords(candidate.replaced), other.words)) return true;
  const turns =
    candidate.corrects ||
    candidate.language.turning.test(candidate.text) ||
    candidate.rule === 'identity.left employer';
  return turns && sharesWord(reading.words, other.words);
}

function sharesWord(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const word of words) if (others.has(word)) return true;
  return false;
}
