import { type Language, type WordRules, wordRules } from './language.js';

const wordPattern = /[\p{L}\p{M}\p{N}]+(?:'\p{L}+)*/gu;
/** Optional characters: soft hyphens, invisible joiners, vowel points of Hebrew and Arabic. */
const leftOut =
  /[\u00ad\u200b-\u200d\u2060\ufeff]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]|[\u0640\u064b-\u0652\u0670]/g;
/**
 * Scripts without spaces between words, or with particles attached to words: each pair of neighbouring characters
 * counts as a word.
 */
const stretches =
  /\p{scx=Han}+|\p{scx=Katakana}+|\p{scx=Hiragana}+|\p{scx=Hangul}+|[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
const anyStretch = new RegExp(stretches.source, 'u');
const kana = /^[\p{scx=Hiragana}\p{scx=Katakana}]$/u;
/** In these scripts a single character may be a word. */
const syllabic = /\p{Script=Han}{2,}|\p{Script=Hangul}{2,}/gu;
/** A longer run of letters is not a word that anyone would search for in an inflected form. */
const longestStemmed = 64;

/** Returns the words of a text in the form in which they are compared, in order, including repetitions. */
export function analyseText(text: string, language: Language): string[] {
  const rules = wordRules(language);
  const plain = rules.toLowerCase(text.normalize('NFKC')).replace(leftOut, '').replace(/[’ʼ]/g, "'");
  const isSpaced = !anyStretch.test(plain);
  const terms: string[] = [];
  for (const [run] of plain.matchAll(wordPattern)) {
    if (isSpaced) addWord(run, rules, terms);
    else addMixed(run, rules, terms);
  }
  return terms;
}

/**
 * Returns single characters by which a text is also found: a query of 茶 alone finds 喝茶. They do not count as its words.
 */
export function singleCharacters(text: string): string[] {
  const found: string[] = [];
  for (const [stretch] of text.normalize('NFKC').matchAll(syllabic))
    for (const character of stretch) found.push(character);
  return found;
}

/** Adds letters of several scripts without a space between them, as in 用Docker部署. */
function addMixed(run: string, rules: WordRules, terms: string[]): void {
  let end = 0;
  for (const { 0: stretch, index } of run.matchAll(stretches)) {
    if (index > end) addWord(run.slice(end, index), rules, terms);
    addPairs([...stretch], stretch.length < run.length, terms);
    end = index + stretch.length;
  }
  if (end < run.length) addWord(run.slice(end), rules, terms);
}

/** A single kana next to other characters is a particle or an ending, and is skipped. */
function addPairs(characters: readonly string[], isPart: boolean, terms: string[]): void {
  const [first = ''] = characters;
  if (characters.length === 1 && !(isPart && kana.test(first))) terms.push(first);
  for (let index = 1; index < characters.length; index++) terms.push(`${characters[index - 1]}${characters[index]}`);
}

function addWord(run: string, rules: WordRules, terms: string[]): void {
  const base = run.endsWith("'s") ? run.slice(0, -2) : run;
  if (rules.isStopWord(base)) return;
  const words = rules.splitsAtApostrophe ? base.split("'").filter(isWhole) : [base.replaceAll("'", '')];
  for (const word of words) {
    if (word === '' || rules.isStopWord(word)) continue;
    terms.push(word.length > longestStemmed ? word.slice(0, longestStemmed) : rules.stem(word));
  }
}

/** The l of l'école is not a word. */
function isWhole(piece: string, _: number, pieces: readonly string[]): boolean {
  return pieces.length === 1 || piece.length > 1;
}
