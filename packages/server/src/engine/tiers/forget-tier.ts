import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import { removeStored } from '../documents/remove-stored.js';
import type { Engine } from '../engine.js';
import { fromLabel, type TierOwners, type TierPlace } from './tier-place.js';
import { dropTierIndex } from './tier-session.js';

/** Removes the text of a tier, its search entries and its quarantined texts. Returns false if the tier has no text. */
export async function forgetTier(
  engine: Engine,
  caller: Caller,
  { label, ...owners }: TierOwners & { label: string },
): Promise<boolean> {
  const place = fromLabel(label, owners);
  return place !== undefined && forgetPlace(engine, caller, place);
}

/** Does the same as `forgetTier` for a place. */
export function forgetPlace(engine: Engine, caller: Caller, place: TierPlace): Promise<boolean> {
  return mutate(engine, caller, async (tables, now) => {
    const [present, kept] = await Promise.all([
      tables.artifacts.get({ kind: 'document', folder: place.namespace, name: place.path }),
      tables.quarantine.at(place),
    ]);
    dropTierIndex(tables, caller, place);
    for (const { id } of kept) tables.quarantine.delete(id);
    if (present === undefined) return { result: false, mutations: [] };
    const updatedBy = caller.actor.serviceId ?? caller.actor.userId ?? 'memhall';
    return {
      result: true,
      mutations: [await removeStored(tables, present, { now, reason: 'live_update', updatedBy })],
    };
  });
}
