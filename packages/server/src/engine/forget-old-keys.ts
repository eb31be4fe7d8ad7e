import type { Engine } from './engine.js';
import { idempotencyHorizon } from './idempotency.js';

const batch = 1000;

/** Removes the idempotency keys of a tenant that no longer count, and answers how many those were. */
export async function forgetOldKeys(engine: Engine, tenantId: string, signal?: AbortSignal): Promise<number> {
  const horizon = idempotencyHorizon(engine.clock.now());
  for (let total = 0; ; ) {
    signal?.throwIfAborted();
    const removed = await engine.store.administer(tenantId, (tables) =>
      tables.idempotencyKeys.deleteBefore(horizon, batch),
    );
    total += removed;
    if (removed < batch) return total;
  }
}
