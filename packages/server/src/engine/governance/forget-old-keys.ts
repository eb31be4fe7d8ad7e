import { maintainTenant } from '../audit/maintain.js';
import type { Engine } from '../engine.js';
import { idempotencyHorizon } from '../idempotency.js';

const batch = 1000;

/** Removes a tenant's expired idempotency keys. Returns how many there were. */
export async function forgetOldKeys(engine: Engine, tenantId: string, signal?: AbortSignal): Promise<number> {
  const horizon = idempotencyHorizon(engine.clock.now());
  for (let total = 0; ; ) {
    signal?.throwIfAborted();
    const removed = await maintainTenant(engine, tenantId, (tables) =>
      tables.idempotencyKeys.deleteBefore(horizon, batch),
    );
    total += removed;
    if (removed < batch) return total;
  }
}
