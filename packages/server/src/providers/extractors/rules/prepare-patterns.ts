import { languageOf } from './languages/language-of.js';
import { knownPatterns } from './phrases.js';
import { sentencesOf } from './split-clauses.js';
import { Turns } from './turns.js';

/** V8 compiles a pattern when it is first used, again when it is used again, and separately for texts like these. */
const samples = { narrow: 'i am', wide: 'i am \u0416' } as const;

const prepared = new Set<string>();

/**
 * Uses the patterns that a text needs on a short sample first, a few at a time. Reading the first sentence in a language would
 * otherwise compile all of them at once, which takes up to half a second.
 */
export async function preparePatterns(text: string): Promise<void> {
  const width = widthOf(text);
  const languages = new Set(sentencesOf(text).map((sentence) => languageOf(sentence.text)));
  await prepareSharedPatterns(text);
  for (const { code, rules } of languages) {
    await prepareOnce(`${code} ${width}`, width, function* () {
      for (const { pattern } of rules) yield pattern;
    });
  }
}

/** The same, for the patterns that do not belong to the rules of a language. */
export function prepareSharedPatterns(text: string): Promise<void> {
  const width = widthOf(text);
  return prepareOnce(width, width, knownPatterns);
}

function widthOf(text: string): keyof typeof samples {
  return /[\u0100-\uffff]/.test(text) ? 'wide' : 'narrow';
}

async function prepareOnce(key: string, width: keyof typeof samples, patterns: () => Iterable<RegExp>): Promise<void> {
  if (prepared.has(key)) return;
  prepared.add(key);
  const turns = new Turns();
  for (const pattern of patterns()) {
    for (let times = 0; times < 2; times++) {
      pattern.lastIndex = 0;
      pattern.exec(samples[width]);
    }
    pattern.lastIndex = 0;
    await turns.next();
  }
}
