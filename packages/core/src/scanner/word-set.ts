import { foldText } from './fold-text.js';

/** Words separated by white space, folded as the text they are looked for in. */
export function toWords(list: string): string[] {
  return foldText(list).trim().split(/\s+/);
}

export function toWordSet(list: string): ReadonlySet<string> {
  return new Set(toWords(list));
}
