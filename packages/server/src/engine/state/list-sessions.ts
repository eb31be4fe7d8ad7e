import type { Session } from '../../ports/sessions.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { type Page, toPage } from '../page.js';
import { decodeTimeCursor, timePosition } from '../time-cursor.js';

/** Newest interaction first. One that is touched while pages are read moves to the front. */
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
