import { englishStopWords } from '@memhall/core';
import type { RecallSnippet } from './provider.js';

export interface LabelledText {
  label: string;
  text: string;
}

const snippetCharacters = 500;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const shortestPrefix = 4;

interface Match extends RecallSnippet {
  line: number;
  score: number;
  /** Last line of the snippet. */
  lastLine: number;
}

/**
 * Finds lines that contain the query or any of its words. A line with the whole query scores 1, others by the share of
 * the query's words. Placeholders of withheld entries are neither found nor shown. Equal scores are ordered by label in descending order, so later days come first. Lines that are
 * already part of a better snippet of the same text are left out.
 */
export function findSnippets(texts: readonly LabelledText[], query: string, limit: number): RecallSnippet[] {
  const wanted = { phrase: fold(query.trim()), words: contentWords(query) };
  const matches = texts
    .flatMap(({ label, text }) => matchLines(label, text, wanted))
    .sort((a, b) => b.score - a.score || compare(b.source, a.source) || a.line - b.line);
  const chosen: Match[] = [];
  for (const match of matches) {
    if (chosen.length === limit) break;
    if (!chosen.some((one) => one.source === match.source && shows(one, match.line))) chosen.push(match);
  }
  return chosen.map(({ lastLine: _, ...snippet }) => snippet);
}

function shows({ line, lastLine }: Match, wanted: number): boolean {
  return wanted >= line && wanted <= lastLine;
}

function matchLines(label: string, text: string, wanted: { phrase: string; words: string[] }): Match[] {
  const lines = text.split('\n');
  return lines.flatMap((content, index) => {
    if (isPlaceholder(content)) return [];
    const folded = fold(content);
    const at = folded.indexOf(wanted.phrase);
    const score = at >= 0 ? 1 : shareOfWords(folded, wanted.words);
    if (score === 0) return [];
    const first = at >= 0 ? at : firstWord(folded, wanted.words);
    return [{ source: label, line: index + 1, score, ...cut(lines, index, first) }];
  });
}

/** Cuts a long line around the match. A short line is taken whole, with the following lines that fit completely. */
function cut(lines: readonly string[], index: number, at: number): { snippet: string; lastLine: number } {
  const line = lines[index] ?? '';
  if (line.length > snippetCharacters) {
    const from = Math.max(0, Math.min(at - snippetCharacters / 4, line.length - snippetCharacters));
    return { snippet: wellCut(line, from), lastLine: index + 1 };
  }
  let snippet = line;
  let last = index;
  for (let next = lines[last + 1]; next !== undefined; next = lines[last + 1]) {
    if (snippet.length + 1 + next.length > snippetCharacters || isPlaceholder(next)) break;
    snippet += `\n${next}`;
    last += 1;
  }
  return { snippet: snippet.trimEnd(), lastLine: last + 1 };
}

/** What is before a withheld entry and what is after it must not be shown side by side: that may be an attack again. */
function isPlaceholder(line: string): boolean {
  return line.startsWith('[BLOCKED:');
}

/** Drops a lone surrogate at either end. */
function wellCut(line: string, from: number): string {
  return line
    .slice(from, from + snippetCharacters)
    .replace(/^[\uDC00-\uDFFF]/, '')
    .replace(/[\uD800-\uDBFF]$/, '');
}

function shareOfWords(line: string, words: readonly string[]): number {
  if (words.length === 0) return 0;
  const present = toWords(line);
  const found = words.filter((word) => present.some((one) => matchesWord(one, word)));
  // Below 1 even if every word matches, because the exact phrase ranks higher.
  return (found.length / words.length) * 0.9;
}

function firstWord(line: string, words: readonly string[]): number {
  const places = words.map((word) => line.indexOf(word)).filter((place) => place >= 0);
  return places.length === 0 ? 0 : Math.min(...places);
}

function matchesWord(word: string, wanted: string): boolean {
  return word === wanted || (wanted.length >= shortestPrefix && word.startsWith(wanted));
}

/** Removes stop words unless there are no other words. */
function contentWords(text: string): string[] {
  const words = [...new Set(toWords(fold(text)))];
  const rare = words.filter((word) => !englishStopWords.has(word));
  return rare.length > 0 ? rare : words;
}

function toWords(text: string): string[] {
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
