import { foldText, traceFold } from './fold-text.js';

/** Any opening bracket but the round one, then the word: with gaps, in any script and size, as a reader would take it. */
const mark = /(?!\()\p{Ps}\s*m\s*e\s*m\s*o\s*r\s*y(?![a-z0-9])/gu;

/**
 * Text that is shown to a model beside memories that are marked `[MEMORY …]: `, so changed that it cannot pass for such a mark:
 * the bracket becomes a round one. Reads the text as the scanner does, so look-alikes and invisible characters do not help.
 */
export function defuseMemoryMarks(text: string): string {
  const folded = foldText(text);
  const places = [...folded.matchAll(mark)].map(({ index }) => index);
  if (places.length === 0) return text;
  const offsets = traceFold(text, folded.length);
  const pieces: string[] = [];
  let at = 0;
  for (const place of places) {
    const start = offsets[place] ?? text.length;
    pieces.push(text.slice(at, start), '(');
    at = start + String.fromCodePoint(text.codePointAt(start) ?? 0).length;
  }
  return `${pieces.join('')}${text.slice(at)}`;
}
