import { createRequire } from 'node:module';
import { englishStopWords } from '@memhall/core';
import type snowball from 'snowball-stemmers';
import { englishIrregulars } from './english-irregulars.js';

/** Languages whose inflected words are reduced to their stem. `simple` compares words unchanged. */
export const languages = [
  'arabic',
  'armenian',
  'basque',
  'catalan',
  'czech',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'hungarian',
  'irish',
  'italian',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'simple',
  'slovene',
  'spanish',
  'swedish',
  'tamil',
  'turkish',
] as const;

export type Language = (typeof languages)[number];

export const defaultLanguage: Language = 'english';

/** Part of a memory's analysis name: change it when these rules change, so that memories are analysed again. */
const rulesVersion = 3;
const headVectorsFrom = 3;

export function analysisName(language: Language): string {
  return `${language}-${rulesVersion}`;
}

/** Returns whether the vectors of long texts were still means when a memory was analysed. */
export function hasMeanVectors(analysis: string): boolean {
  return Number(/-(\d+)$/.exec(analysis)?.[1]) < headVectorsFrom;
}

export interface WordRules {
  toLowerCase(text: string): string;
  /** English don't is one word; French l'école and Turkish Ankara'da are two. */
  splitsAtApostrophe: boolean;
  isStopWord(word: string): boolean;
  stem(word: string): string;
}

const require = createRequire(import.meta.url);
const cachedStems = 50_000;
const rules = new Map<Language, WordRules>();

export function wordRules(language: Language): WordRules {
  let own = rules.get(language);
  if (own === undefined) {
    own = createRules(language);
    rules.set(language, own);
  }
  return own;
}

function createRules(language: Language): WordRules {
  const english = language === 'english';
  const common = {
    toLowerCase: language === 'turkish' ? toTurkishLowerCase : toLowerCase,
    splitsAtApostrophe: !english,
  };
  if (language === 'simple') return { ...common, isStopWord: () => false, stem: (word) => word };
  // Loaded on demand: it is large, and a process that stems nothing starts faster without it.
  const { newStemmer } = require('snowball-stemmers') as typeof snowball;
  const stemmer = newStemmer(language);
  const stems = new Map<string, string>();
  const toBase = english ? toRegular : language === 'russian' ? withoutYo : (word: string) => word;
  return {
    ...common,
    isStopWord: english ? (word) => englishStopWords.has(word) : () => false,
    stem(word) {
      let stem = stems.get(word);
      if (stem === undefined) {
        stem = stemmer.stem(toBase(word));
        if (stems.size >= cachedStems) stems.clear();
        stems.set(word, stem);
      }
      return stem;
    },
  };
}

function toRegular(word: string): string {
  return englishIrregulars.get(word) ?? word;
}

/** Most people write ё as е, and the stemmer knows only е. */
function withoutYo(word: string): string {
  return word.replaceAll('ё', 'е');
}

/** İ becomes two characters, the second of which is a redundant dot over the i. */
function toLowerCase(text: string): string {
  return text.toLowerCase().replaceAll('i\u0307', 'i');
}

/** In Turkish, I is the capital of ı. */
function toTurkishLowerCase(text: string): string {
  return text.toLocaleLowerCase('tr');
}
