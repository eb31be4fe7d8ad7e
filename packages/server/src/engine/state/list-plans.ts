import type { PlanFilter, PlanSummary } from '../../ports/plans.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { type Page, toPage } from '../page.js';
import { decodeTimeCursor, timePosition } from '../time-cursor.js';

/** Newest first. */
export async function listPlans(
  engine: Engine,
  caller: Caller,
  input: { filter: PlanFilter; limit: number; cursor: string | undefined },
): Promise<Page<PlanSummary>> {
  const before = decodeTimeCursor(input.cursor);
  const rows = await engine.store.read(scopeOf(caller), (tables) =>
    tables.plans.list(input.filter, { before, limit: input.limit + 1 }),
  );
  return toPlanPage(rows, input.limit);
}

export function toPlanPage(rows: PlanSummary[], limit: number): Page<PlanSummary> {
  return toPage(rows, limit, ({ createdAt, planId }) => timePosition(createdAt, planId));
}
