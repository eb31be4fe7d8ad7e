import { mutate } from '../audit/mutate.js';
import { type Caller, onTheRecord } from '../caller.js';
import { removeStored } from '../documents/remove-stored.js';
import type { Engine } from '../engine.js';
import { indexedPieces } from './tier-index.js';
import { fromLabel, type TierOwners, type TierPlace } from './tier-place.js';
import { dropTierIndex } from './tier-session.js';

/** Removes the text of a tier, its search entries and its quarantined texts. Returns false if the tier has no text. */
export async function forgetTier(
  engine: Engine,
  caller: Caller,
  { label, ...owners }: TierOwners & { label: string },
): Promise<boolean> {
  const place = fromLabel(label, owners);
  return place !== undefined && (await forgetPlace(engine, caller, place)).texts > 0;
}

export interface ForgottenTier {
  /** 1, or 0 if there was no text. */
  texts: number;
  /** Search entries. */
  passages: number;
  quarantined: number;
}

/** Does the same as `forgetTier` for a place, and counts what it removed. */
export function forgetPlace(engine: Engine, caller: Caller, place: TierPlace): Promise<ForgottenTier> {
  return mutate(engine, onTheRecord(caller), async (tables, now) => {
    const [present, kept, pieces] = await Promise.all([
      tables.artifacts.get({ kind: 'document', folder: place.namespace, name: place.path }),
      tables.quarantine.at(place),
      indexedPieces(tables, caller, place, now),
    ]);
    const followed = await dropTierIndex(engine, tables, caller, place, now);
    for (const { id } of kept) tables.quarantine.delete(id);
    const counted = { passages: pieces.length, quarantined: kept.length };
    if (present === undefined) return { result: { texts: 0, ...counted }, mutations: followed };
    const updatedBy = caller.actor.serviceId ?? caller.actor.userId ?? 'memhall';
    return {
      result: { texts: 1, ...counted },
      mutations: [await removeStored(tables, present, { now, reason: 'live_update', updatedBy }), ...followed],
    };
  });
}
