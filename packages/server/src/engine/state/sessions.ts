import { type Json, Problem, uuidv7 } from '@memhall/core';
import type { PlanSummary } from '../../ports/plans.js';
import type { Session } from '../../ports/sessions.js';
import { contentHash, type Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import { refuseOffTheRecord } from '../audit/off-the-record.js';
import { type Caller, onTheRecord, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { type Page, pageLimits, toPage } from '../page.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { decodeTimeCursor, timePosition } from '../time-cursor.js';
import { toPlanPage } from './plans.js';

/** Describes a change of a session for the audit log. `before` or `after` is undefined if there is none. */
function sessionMutation(sessionId: string, before: Session | undefined, after: Session | undefined): Mutation {
  return {
    target: `session/${sessionId}`,
    preEtag: before?.etag ?? null,
    postEtag: after?.etag ?? null,
    contentHash: after === undefined ? null : hashOf(after),
  };
}

function hashOf({ etag: _, createdAt: __, lastInteraction, ...content }: Session): string {
  return contentHash({ ...content, lastInteraction: lastInteraction.toISOString() });
}

/** Returns a session with the first page of its plans. The cursor continues in the list of the session's plans. */
export async function getSession(
  engine: Engine,
  caller: Caller,
  { sessionId }: { sessionId: string },
): Promise<{ session: Session; plans: Page<PlanSummary> } | undefined> {
  const limit = pageLimits.default;
  const [session, plans] = await engine.store.read(scopeOf(caller), (tables) =>
    Promise.all([
      tables.sessions.get(sessionId),
      tables.plans.list({ sessionId }, { before: undefined, limit: limit + 1 }),
    ]),
  );
  return session && { session, plans: toPlanPage(plans, limit) };
}

/** Newest interaction first. A session that is touched between two pages moves to the front. */
export async function listSessions(
  engine: Engine,
  caller: Caller,
  input: { limit: number; cursor: string | undefined },
): Promise<Page<Session>> {
  const before = decodeTimeCursor(input.cursor);
  const rows = await engine.store.read(scopeOf(caller), (tables) =>
    tables.sessions.list({ before, limit: input.limit + 1 }),
  );
  return toPage(rows, input.limit, ({ lastInteraction, sessionId }) => timePosition(lastInteraction, sessionId));
}

interface CreateSession {
  sessionId: string;
  agentId: string | null;
  name: string | null;
  metadata: { [key: string]: Json };
}

/** Creating a session counts as its first interaction. Throws CONFLICT if the user already has this session id, or OFF_THE_RECORD. */
export async function createSession(engine: Engine, caller: Caller, input: CreateSession): Promise<Session> {
  await refuseOffTheRecord(engine, caller, input.sessionId);
  return mutate(engine, caller, async (tables, now) => {
    if ((await tables.sessions.get(input.sessionId)) !== undefined) {
      throw new Problem(
        'CONFLICT',
        `There is a session "${input.sessionId}" already: update it, or choose another id.`,
      );
    }
    const session: Session = { ...input, etag: uuidv7(now.getTime()), createdAt: now, lastInteraction: now };
    tables.sessions.put(session);
    return { result: session, mutations: [sessionMutation(session.sessionId, undefined, session)] };
  });
}

/** An undefined field stays unchanged. */
interface UpdateSession {
  sessionId: string;
  lastInteraction: Date | undefined;
  metadata: { [key: string]: Json } | undefined;
  name: string | null | undefined;
  precondition: Precondition;
}

/**
 * Replaces each given field completely. Without any field, only the time of the last interaction is set to now.
 * Returns undefined if there is no such session. Throws OFF_THE_RECORD.
 */
export async function updateSession(
  engine: Engine,
  caller: Caller,
  input: UpdateSession,
): Promise<Session | undefined> {
  const { sessionId, lastInteraction, metadata, name, precondition } = input;
  await refuseOffTheRecord(engine, caller, sessionId);
  const touches = lastInteraction === undefined && metadata === undefined && name === undefined;
  return mutate(engine, caller, async (tables, now) => {
    const current = await tables.sessions.get(sessionId);
    if (current === undefined) return { result: undefined, mutations: [] };
    checkPrecondition(precondition, current.etag);
    const session: Session = {
      ...current,
      name: name === undefined ? current.name : name,
      metadata: metadata ?? current.metadata,
      lastInteraction: touches ? now : (lastInteraction ?? current.lastInteraction),
      etag: uuidv7(now.getTime()),
    };
    tables.sessions.put(session);
    return { result: session, mutations: [sessionMutation(sessionId, current, session)] };
  });
}

/** Deletes a session but not its plans. Returns false if there was no such session. */
export function deleteSession(
  engine: Engine,
  caller: Caller,
  input: { sessionId: string; precondition: Precondition },
): Promise<boolean> {
  return mutate(engine, onTheRecord(caller), async (tables) => {
    const current = await tables.sessions.get(input.sessionId);
    if (current === undefined) return { result: false, mutations: [] };
    checkPrecondition(input.precondition, current.etag);
    tables.sessions.delete(input.sessionId);
    return { result: true, mutations: [sessionMutation(input.sessionId, current, undefined)] };
  });
}
