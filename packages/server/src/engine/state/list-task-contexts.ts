import type { TaskSummary } from '../../ports/task-contexts.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { type Page, toPage } from '../page.js';
import { decodeTimeCursor, timePosition } from '../time-cursor.js';

interface ListTaskContexts {
  planId: string | undefined;
  /** Only tasks that have not changed for this long. */
  staleForSeconds: number | undefined;
  limit: number;
  cursor: string | undefined;
}

/** Least recently changed first. A task that changes between two pages moves to the end, so that none is missed. */
export async function listTaskContexts(
  engine: Engine,
  caller: Caller,
  { planId, staleForSeconds, limit, cursor }: ListTaskContexts,
): Promise<Page<TaskSummary>> {
  const after = decodeTimeCursor(cursor);
  const now = engine.clock.now().getTime();
  const updatedUntil = staleForSeconds === undefined ? undefined : new Date(now - staleForSeconds * 1000);
  const rows = await engine.store.read(scopeOf(caller), (tables) =>
    tables.taskContexts.list({ planId, updatedUntil }, { after, limit: limit + 1 }),
  );
  return toPage(rows, limit, ({ updatedAt, taskId }) => timePosition(updatedAt, taskId));
}
