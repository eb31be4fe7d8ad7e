import { english } from './english/english.js';
import type { Language } from './language.js';
import { languages } from './languages.js';

/** Elided words count on their own: "j'" in "j'habite". */
const wordPattern = /(?<![\p{L}\p{M}'])(?:[cdjlmnst]|qu)'(?=\p{L})|[\p{L}\p{M}]+(?:'\p{L}+)*/giu;

/** Returns the language of which a text has the most marks. Between equals, it is the usual one. */
export function languageOf(text: string, usual: Language = english): Language {
  const words = text.toLowerCase().match(wordPattern) ?? [];
  const scores = languages.map((language) => ({
    language,
    score: words.filter((word) => language.marks.has(word)).length,
  }));
  const best = Math.max(...scores.map(({ score }) => score));
  const likely = scores.filter(({ score }) => score === best).map(({ language }) => language);
  return likely.includes(usual) ? usual : (likely[0] ?? usual);
}
