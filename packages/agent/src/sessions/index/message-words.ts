import { englishStopWords } from '@memhall/core';

const shortestPrefix = 4;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The distinct words of a text, each after a line break, with one more at the end. No word contains a line break. */
export type PackedWords = string;

export function packWords(text: string): PackedWords {
  return `\n${[...new Set(toWords(text))].join('\n')}\n`;
}

/** Returns whether a word is among them, or the start of one of them if it is long enough. */
export function hasWord(words: PackedWords, wanted: string): boolean {
  return words.includes(wanted.length >= shortestPrefix ? `\n${wanted}` : `\n${wanted}\n`);
}

/** Returns the distinct words of a query, without stop words unless there are no others. */
export function queryWords(text: string): string[] {
  const words = [...new Set(toWords(text))];
  const rare = words.filter((word) => !englishStopWords.has(word));
  return rare.length > 0 ? rare : words;
}

function toWords(text: string): string[] {
  const normal = text.normalize('NFKC').toLowerCase();
  return [...segmenter.segment(normal)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}
