import type { WorkingValue } from '../../ports/working-values.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';

export async function listWorkingValues(
  engine: Engine,
  caller: Caller,
  input: { planId: string; limit: number; cursor: string | undefined },
): Promise<Page<WorkingValue>> {
  const now = engine.clock.now();
  const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor, 1)[0];
  const rows = await engine.store.read(scopeOf(caller), (tables) =>
    tables.workingValues.list(input.planId, { after, limit: input.limit + 1, now }),
  );
  return toPage(rows, input.limit, ({ key }) => [key]);
}
