import { foldText } from './fold-text.js';

/** Splits a list at whitespace and folds its words like the scanned text. */
function toWords(list: string): string[] {
  return foldText(list).trim().split(/\s+/);
}

export function toWordSet(list: string): ReadonlySet<string> {
  return new Set(toWords(list));
}
