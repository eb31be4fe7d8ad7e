import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { forgetPlace } from './forget-tier.js';
import { fromTierPath, tierNamespace } from './tier-place.js';

/**
 * Removes the texts of tiers, in any workspace, that only the caller's user wrote. Returns how many. Texts with words of other
 * users stay, since it is not known who wrote which words.
 */
export async function forgetWritten(engine: Engine, caller: Caller): Promise<number> {
  const found = await engine.store.inspect(caller.tenantId, (tables) =>
    tables.artifacts.writtenBy(tierNamespace, caller.userId),
  );
  let removed = 0;
  for (const { userId, name } of found) {
    const place = fromTierPath(name);
    if (place !== undefined && (await forgetPlace(engine, { ...caller, userId }, place))) removed++;
  }
  return removed;
}
