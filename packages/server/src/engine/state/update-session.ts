import { type Json, uuidv7 } from '@memhall/core';
import type { Session } from '../../ports/sessions.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { sessionMutation } from './session-mutation.js';

/** undefined: stays as it is. */
export interface UpdateSession {
  sessionId: string;
  lastInteraction: Date | undefined;
  metadata: { [key: string]: Json } | undefined;
  name: string | null | undefined;
  precondition: Precondition;
}

/** Replaces what is given, whole; when nothing is, the session is touched. undefined: there is no such session. */
export function updateSession(engine: Engine, caller: Caller, input: UpdateSession): Promise<Session | undefined> {
  const { sessionId, lastInteraction, metadata, name, precondition } = input;
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
