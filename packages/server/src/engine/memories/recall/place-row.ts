import { BestRows } from './best-rows.js';
import { type Explanation, scoreRows } from './rank.js';
import type { RankInput } from './rank-input.js';
import { rankSessions } from './rank-sessions.js';
import { arrivalOf } from './scan.js';

/** Where one row stands among those that were searched. */
export interface RowPlace {
  score: number;
  explanation: Explanation;
  /** The cosine from which a row that shares no word with the query matches; null if meanings were not compared. */
  cosineFloor: number | null;
  /** Its place among the rows that match, from 1; undefined if it does not match. */
  place: number | undefined;
  /** How many rows match. */
  matches: number;
  /** False if a partition was searched in the database, and neither its words nor its meaning made it a candidate there. */
  isCandidate: boolean;
  /** The place of its session among the sessions that match, from 1. */
  sessionPlace: number | undefined;
}

/** Ranks all rows and returns the place of one. Returns undefined if it is not among them. */
export function placeRow(input: RankInput, segmentNumber: number, seq: number): RowPlace | undefined {
  const { scope } = input;
  const part = scope.parts[segmentNumber];
  if (part === undefined) return undefined;
  const { segment, unproposed } = part;
  const base = scope.bases[segmentNumber] ?? 0;
  const slot = segment.seqs.subarray(0, segment.size).findIndex((one, at) => one === seq && segment.alive[at] === 1);
  if (slot === -1 || scope.allowed[base + slot] === 0) return undefined;
  const all = new BestRows(Number.POSITIVE_INFINITY, input.pinnedFirst, (row) => arrivalOf(scope, row));
  const { describe, floor } = scoreRows(input, (scored) =>
    all.offer(scored.raw, scored.row, scored.segment.pinned[scored.slot] === 1),
  );
  const rows = all.rows();
  const { score, explanation } = describe(base + slot);
  const sessions = rankSessions({ ...input, limit: Number.POSITIVE_INFINITY }, 0);
  const sessionId = segment.sessionIds[slot];
  const session = sessions.findIndex((one) => one.segmentNumber === segmentNumber && one.sessionId === sessionId);
  return {
    score,
    explanation,
    cosineFloor: input.cosines === undefined ? null : floor,
    place: toPlace(rows.indexOf(base + slot)),
    matches: rows.length,
    isCandidate: unproposed !== seq,
    sessionPlace: toPlace(session),
  };
}

function toPlace(index: number): number | undefined {
  return index === -1 ? undefined : index + 1;
}
