import { type Json, Problem, uuidv7 } from '@memhall/core';
import type { Session } from '../../ports/sessions.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { sessionMutation } from './session-mutation.js';

export interface CreateSession {
  sessionId: string;
  agentId: string | null;
  name: string | null;
  metadata: { [key: string]: Json };
}

/** Creating it is its first interaction. Throws CONFLICT when the user has a session with this id. */
export function createSession(engine: Engine, caller: Caller, input: CreateSession): Promise<Session> {
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
