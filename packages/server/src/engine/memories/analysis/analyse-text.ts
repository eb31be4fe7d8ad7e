import { type Language, wordRules } from './language.js';

const wordPattern = /[\p{L}\p{M}\p{N}]+(?:'\p{L}+)*/gu;
/** Scripts that put no space between words: every two neighbouring characters stand for a word. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** A longer run of letters is no word that anybody would look for by another form of it. */
const longestStemmed = 64;

/** The words of a text in the form in which they are compared, in order, repetitions included. */
export function analyseText(text: string, language: Language): string[] {
  const rules = wordRules(language);
  const terms: string[] = [];
  const plain = text.normalize('NFKC').toLowerCase().replace(/[’ʼ]/g, "'");
  for (const [word] of plain.matchAll(wordPattern)) {
    if (unspaced.test(word)) {
      terms.push(...characterPairs(word));
      continue;
    }
    const base = word.endsWith("'s") ? word.slice(0, -2) : word;
    const joined = base.replaceAll("'", '');
    if (rules.isStopWord(base) || rules.isStopWord(joined)) continue;
    terms.push(joined.length > longestStemmed ? joined.slice(0, longestStemmed) : rules.stem(joined));
  }
  return terms;
}

function characterPairs(word: string): string[] {
  const characters = [...word];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
