import { Problem } from '@memhall/core';
import type { UnrecordedSession } from '../../ports/off-the-record.js';
import type { Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import { unrecordedTarget } from '../audit/off-the-record.js';
import { type Caller, onTheRecord, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';

/**
 * Takes a session off the record: from now on nothing that comes from it is stored, through any surface that names it. If it is off
 * the record already, only the end changes. Without an end it stays so until `goOnTheRecord`. Throws INVALID_REQUEST if the end is over.
 */
export function goOffTheRecord(
  engine: Engine,
  caller: Caller,
  { sessionId, until }: { sessionId: string; until: Date | null },
): Promise<UnrecordedSession> {
  return mutate(engine, onTheRecord(caller), async (tables, now) => {
    if (until !== null && until <= now) {
      throw new Problem('INVALID_REQUEST', '"until" must be in the future. Leave it out if no end is known.');
    }
    const [present] = await tables.unrecordedSessions.among([sessionId], now);
    const session = { sessionId, startedAt: present?.startedAt ?? now, until };
    tables.unrecordedSessions.put(session);
    return { result: session, mutations: [mutationOf(sessionId, 'off', { until: until?.toISOString() ?? null })] };
  });
}

/** Puts a session on the record again. Does nothing if it is. */
export function goOnTheRecord(engine: Engine, caller: Caller, sessionId: string): Promise<void> {
  return mutate(engine, onTheRecord(caller), async (tables, now) => {
    const [present] = await tables.unrecordedSessions.among([sessionId], now);
    if (present === undefined) return { result: undefined, mutations: [] };
    tables.unrecordedSessions.delete(sessionId);
    return { result: undefined, mutations: [mutationOf(sessionId, 'on')] };
  });
}

/** Returns undefined if the session is on the record. */
export async function getUnrecorded(
  engine: Engine,
  caller: Caller,
  sessionId: string,
): Promise<UnrecordedSession | undefined> {
  const now = engine.clock.now();
  const [found] = await engine.store.read(scopeOf(caller), (tables) =>
    tables.unrecordedSessions.among([sessionId], now),
  );
  return found;
}

/** Lists the sessions of the user that are off the record, ordered by id. */
export async function listUnrecorded(
  engine: Engine,
  caller: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<UnrecordedSession>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, 1)[0];
  const now = engine.clock.now();
  const rows = await engine.store.read(scopeOf(caller), (tables) =>
    tables.unrecordedSessions.list({ after, limit: limit + 1, now }),
  );
  return toPage(rows, limit, ({ sessionId }) => [sessionId]);
}

function mutationOf(sessionId: string, record: 'on' | 'off', more: { until?: string | null } = {}): Mutation {
  const target = unrecordedTarget(sessionId);
  return { target, preEtag: null, postEtag: null, contentHash: null, details: { record, ...more } };
}
