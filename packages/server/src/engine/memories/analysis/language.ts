import { createRequire } from 'node:module';
import { englishStopWords } from '@memhall/core';
import type snowball from 'snowball-stemmers';
import { englishIrregulars } from './english-irregulars.js';

/** Languages whose inflected words are led back to their stem. `simple` compares words as they are. */
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

/** Part of a memory's analysis name: change it when these rules change, and memories are analysed anew. */
const rulesVersion = 1;

export function analysisName(language: Language): string {
  return `${language}-${rulesVersion}`;
}

export interface WordRules {
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
  if (language === 'simple') return { isStopWord: () => false, stem: (word) => word };
  const english = language === 'english';
  // Not imported: it is large, and a process that stems nothing starts the sooner without it.
  const { newStemmer } = require('snowball-stemmers') as typeof snowball;
  const stemmer = newStemmer(language);
  const stems = new Map<string, string>();
  return {
    isStopWord: english ? (word) => englishStopWords.has(word) : () => false,
    stem(word) {
      let stem = stems.get(word);
      if (stem === undefined) {
        stem = stemmer.stem(english ? (englishIrregulars.get(word) ?? word) : word);
        if (stems.size >= cachedStems) stems.clear();
        stems.set(word, stem);
      }
      return stem;
    },
  };
}
