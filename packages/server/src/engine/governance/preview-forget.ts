import type { Counts } from '../../ports/erasure.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { addCounts } from './receipt.js';

export interface ForgetPreview {
  /** What is stored now. */
  counts: Counts;
  /** Holds that would refuse the erasure: on the user, or on owners of memory that names the user. */
  legalHolds: string[];
}

/** Says what forgetting the caller's user would remove, and what forbids it. Removes nothing. */
export function previewForget(engine: Engine, { tenantId, userId }: Caller): Promise<ForgetPreview> {
  return engine.store.inspect(tenantId, async (tables) => {
    const { before, since } = await tables.erasure.count(userId, engine.clock.now());
    const places = [
      ...(await tables.erasure.notesElsewhere(userId)),
      ...(await tables.erasure.authoredElsewhere(userId)),
    ];
    const owners = new Set([
      userId,
      ...places.map((place) => place.userId),
      ...(await tables.erasure.writtenFor(userId)),
    ]);
    const holds: string[] = [];
    for (const owner of owners) holds.push(...(await tables.legalHolds.on(owner)));
    return { counts: addCounts(before, since), legalHolds: [...new Set(holds)].sort() };
  });
}
