import type { Plan } from '../../ports/plans.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';

export function getPlan(engine: Engine, caller: Caller, input: { planId: string }): Promise<Plan | undefined> {
  return engine.store.read(scopeOf(caller), (tables) => tables.plans.get(input.planId));
}
