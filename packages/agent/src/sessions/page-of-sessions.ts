import { Problem } from '@memhall/core';
import type { SessionPage, SessionPageRequest, SessionSummary } from './session-store.js';

/** Returns the requested page of all sessions, latest first. The cursor is the last session of the page before. */
export function pageOfSessions(
  all: readonly SessionSummary[],
  { limit = 20, cursor }: SessionPageRequest = {},
): SessionPage {
  checkPageLimit(limit);
  const after = cursor === undefined ? undefined : decode(cursor);
  const rest = [...all].sort(compare).filter((session) => after === undefined || compare(after, session) < 0);
  const sessions = rest.slice(0, limit);
  const last = sessions.at(-1);
  return rest.length > limit && last !== undefined ? { sessions, next_cursor: encode(last) } : { sessions };
}

export function checkPageLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw new Problem('INVALID_REQUEST', '`limit` must be a whole number from 1 to 100.');
}

function compare(a: SessionSummary, b: SessionSummary): number {
  if (a.last_at !== b.last_at) return a.last_at < b.last_at ? 1 : -1;
  return a.session_id < b.session_id ? -1 : Number(a.session_id > b.session_id);
}

function encode({ last_at, session_id }: SessionSummary): string {
  return Buffer.from(JSON.stringify([last_at, session_id])).toString('base64url');
}

function decode(cursor: string): SessionSummary {
  try {
    const [last_at, session_id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (typeof last_at === 'string' && typeof session_id === 'string') return { last_at, session_id };
  } catch {
    // Rejected below, like a cursor with other members.
  }
  throw new Problem('INVALID_REQUEST', '`cursor` must be the `next_cursor` of an earlier page.');
}
