import { languageOf } from './languages/language-of.js';

const wordPattern = /[\p{L}\p{M}\p{N}]+(?:'\p{L}+)*/gu;
/** Verbs and adverbs of the rules themselves: two facts that share only these are not about the same thing. */
const carriers = new Set(
  'prefer like love hate enjoy dislike use using live lives work works moved decided agreed go going let lets always never please longer anymore now instead user really actually just name called want will keep answer reply make made new still also good best mind changed day days week year'.split(
    ' ',
  ),
);

export function wordsOf(text: string): string[] {
  return [...text.toLowerCase().replace(/[’ʼ]/g, "'").matchAll(wordPattern)].map(([word]) => word);
}

/** Returns the words that say what a fact is about. */
export function contentWords(text: string): ReadonlySet<string> {
  const { marks } = languageOf(text);
  return new Set(
    wordsOf(text).filter(
      (word) => (word.length > 1 || /\p{N}|\p{Lo}/u.test(word)) && !marks.has(word) && !carriers.has(word),
    ),
  );
}

/** Texts with the same key have the same meaning. */
export function toKey(text: string): string {
  return wordsOf(text)
    .join(' ')
    .replace(/\bi am\b/g, "i'm")
    .replace(/\bplease /g, '');
}
