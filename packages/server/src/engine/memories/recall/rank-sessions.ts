import { type Ranked, scoreRows, toScore } from './rank.js';
import type { RankInput } from './rank-input.js';
import { arrivalOf } from './scan.js';
import { isHidden } from './truth-query.js';

interface RankedSession {
  segmentNumber: number;
  sessionId: string;
  score: number;
  /** How many of its rows match. */
  count: number;
  /** The rows that match best, best first. */
  best: Ranked[];
}

interface Tally {
  number: number;
  sessionId: string;
  /** Rows in scope, whether or not they match. */
  size: number;
  matches: { raw: number; row: number }[];
}

/**
 * What a session's mean adds to its best row. A session about the subject ranks before one that only mentions it; the mean, unlike
 * the sum, does not grow with the number of turns.
 */
const meanWeight = 0.5;

/** Returns the best sessions, best first, each with its best rows. Rows without a session are left out. */
export function rankSessions(input: RankInput, rowsPerSession: number): RankedSession[] {
  const tallies = tallySessions(input);
  const arrival = (row: number) => arrivalOf(input.scope, row);
  const { describe } = scoreRows(input, ({ raw, row, number, segment, slot }) => {
    if (isHidden(segment, slot, input)) return;
    const tally = tallies[number]?.get(segment.sessionIds[slot] ?? '');
    if (tally === undefined) return;
    tally.matches.push({ raw, row });
  });
  const ranked = tallies
    .flatMap((sessions) => [...sessions.values()])
    .filter(({ matches }) => matches.length > 0)
    .map((tally) => ({
      ...tally,
      matches: tally.matches.sort((a, b) => b.raw - a.raw || arrival(b.row) - arrival(a.row)),
    }))
    .map((tally) => ({ ...tally, raw: (tally.matches[0]?.raw ?? 0) + (meanWeight * sumOf(tally)) / tally.size }))
    .sort((a, b) => b.raw - a.raw || b.number - a.number || (a.sessionId < b.sessionId ? -1 : 1));
  return ranked.slice(0, input.limit).map(({ number, sessionId, raw, matches }) => ({
    segmentNumber: number,
    sessionId,
    score: toScore(raw),
    count: matches.length,
    best: matches.slice(0, rowsPerSession).map(({ row }) => describe(row)),
  }));
}

/** Adds up in the order of the matches: sums of the same numbers in another order may differ. */
function sumOf({ matches }: Tally): number {
  return matches.reduce((sum, { raw }) => sum + Math.max(0, raw), 0);
}

/** Counts the rows of each session, by part: sessions of different owners are different, whatever their names. */
function tallySessions({ scope }: RankInput): Map<string, Tally>[] {
  return scope.parts.map(({ segment }, number) => {
    const sessions = new Map<string, Tally>();
    const base = scope.bases[number] ?? 0;
    for (let slot = 0; slot < segment.size; slot++) {
      const sessionId = segment.sessionIds[slot] ?? '';
      if (sessionId === '' || scope.allowed[base + slot] === 0) continue;
      const known = sessions.get(sessionId);
      if (known === undefined) sessions.set(sessionId, { number, sessionId, size: 1, matches: [] });
      else known.size += 1;
    }
    return sessions;
  });
}
