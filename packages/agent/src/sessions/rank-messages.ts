import { englishStopWords } from '@memhall/core';
import { messageOf, textOf } from './message-text.js';
import type { SessionEvent, SessionMatch, SessionQuery } from './session-store.js';

interface Candidate extends SessionMatch {
  words: readonly string[];
}

const excerptLength = 600;
const shortestPrefix = 4;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * Returns messages that contain any word of the query. Rare words weigh more. Words that start with a query word match.
 */
export function rankMessages(
  sessions: Iterable<readonly [id: string, events: readonly SessionEvent[]]>,
  { text, limit, exceptRunId }: SessionQuery,
): SessionMatch[] {
  const words = contentWords(text);
  const candidates = [...sessions].flatMap(([id, events]) =>
    events.flatMap((event) => (event.run_id === exceptRunId ? [] : toCandidates(id, event))),
  );
  const weights = words.map((word) => {
    const frequency = candidates.filter((candidate) => has(candidate, word)).length;
    return Math.log(1 + candidates.length / (1 + frequency));
  });
  return candidates
    .map((candidate) => ({
      candidate,
      score: words.reduce((sum, word, n) => sum + (has(candidate, word) ? (weights[n] ?? 0) : 0), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.candidate.at < b.candidate.at ? 1 : -1))
    .slice(0, limit)
    .map(({ candidate: { words: _, ...match } }) => ({ ...match, text: excerpt(match.text, words) }));
}

function toCandidates(sessionId: string, event: SessionEvent): Candidate[] {
  const message = messageOf(event);
  if (message === undefined || (message.role !== 'user' && message.role !== 'assistant')) return [];
  const text = textOf(message);
  return text === '' ? [] : [{ session_id: sessionId, at: event.at, role: message.role, text, words: toWords(text) }];
}

function has({ words }: Candidate, wanted: string): boolean {
  return words.some((word) => matches(word, wanted));
}

function matches(word: string, wanted: string): boolean {
  return word === wanted || (wanted.length >= shortestPrefix && word.startsWith(wanted));
}

/** Removes stop words unless there are no other words. */
function contentWords(text: string): string[] {
  const words = [...new Set(toWords(text))];
  const rare = words.filter((word) => !englishStopWords.has(word));
  return rare.length > 0 ? rare : words;
}

function toWords(text: string): string[] {
  const normal = text.normalize('NFKC').toLowerCase();
  return [...segmenter.segment(normal)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}

function excerpt(text: string, words: readonly string[]): string {
  if (text.length <= excerptLength) return text;
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, text.length - excerptLength / 2) - excerptLength / 2);
  const part = text.slice(from, from + excerptLength).toWellFormed();
  return `${from > 0 ? '…' : ''}${part}${from + excerptLength < text.length ? '…' : ''}`;
}
