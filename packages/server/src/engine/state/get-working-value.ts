import type { WorkingValue } from '../../ports/working-values.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';

export function getWorkingValue(
  engine: Engine,
  caller: Caller,
  input: { planId: string; key: string },
): Promise<WorkingValue | undefined> {
  const now = engine.clock.now();
  return engine.store.read(scopeOf(caller), (tables) => tables.workingValues.get(input.planId, input.key, now));
}
