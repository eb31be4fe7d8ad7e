import { foldText, traceFold } from './fold-text.js';

/** Any opening bracket except a parenthesis, then the word, possibly with gaps. Matched against folded text. */
const mark = /(?!\()\p{Ps}\s*m\s*e\s*m\s*o\s*r\s*y(?![a-z0-9])/gu;

/**
 * Changes text that is shown to a model together with memories marked `[MEMORY …]: `, so that the text cannot imitate
 * such a mark: the bracket becomes a parenthesis. Folds the text like the scanner, so look-alikes and invisible
 * characters do not get around it.
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
