import type { Plan } from '../../ports/plans.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';

/** The plan that waits for an event; the one created last where several do. Finished plans wait for nothing. */
export function findPlanByCorrelation(
  engine: Engine,
  caller: Caller,
  input: { correlationId: string },
): Promise<Plan | undefined> {
  return engine.store.read(scopeOf(caller), (tables) => tables.plans.findByCorrelation(input.correlationId));
}
