import { maintainTenant } from '../audit/maintain.js';
import type { Engine } from '../engine.js';

/** How long a reader may stay away and still go on where it stopped. */
export const keptDays = 30;

export function oldestKept(now: Date): Date {
  return new Date(now.getTime() - keptDays * 86_400_000);
}

/** Removes a tenant's changes that nobody can follow any more. */
export async function forgetOldChanges(engine: Engine, tenantId: string): Promise<void> {
  const horizon = oldestKept(engine.clock.now());
  await maintainTenant(engine, tenantId, async (tables) => tables.changes.removeBefore(horizon));
}
