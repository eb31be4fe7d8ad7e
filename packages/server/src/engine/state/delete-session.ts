import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { sessionMutation } from './session-mutation.js';

/** Deletes a session, not its plans, and answers whether there was one. */
export function deleteSession(
  engine: Engine,
  caller: Caller,
  input: { sessionId: string; precondition: Precondition },
): Promise<boolean> {
  return mutate(engine, caller, async (tables) => {
    const current = await tables.sessions.get(input.sessionId);
    if (current === undefined) return { result: false, mutations: [] };
    checkPrecondition(input.precondition, current.etag);
    tables.sessions.delete(input.sessionId);
    return { result: true, mutations: [sessionMutation(input.sessionId, current, undefined)] };
  });
}
