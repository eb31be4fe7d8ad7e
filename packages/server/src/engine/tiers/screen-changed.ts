import { type Tier, tiers } from '@memhall/core';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { tierNamespace } from '../tier-path.js';
import { screenTier } from './screen-tier.js';
import { fromTierPath, type TierOwners, type TierPlace } from './tier-place.js';

const pageSize = 500;

/**
 * Screens the notes of a workspace that this process has not screened since they changed: all of them, or with an agent or crew
 * only theirs. Notes can change in ways that nothing screens, such as a patch of their document. Returns whether there were any.
 */
export async function screenChanged(engine: Engine, caller: Caller, { agentId, crewId }: TierOwners): Promise<boolean> {
  const owners = [
    ...(agentId === undefined ? [] : [`agent:${agentId}`]),
    ...(crewId === undefined ? [] : [`crew:${crewId}`]),
  ];
  const wanted = new Map(owners.map((owner) => [owner, tiers]));
  return screenOwners(engine, caller, owners.length === 0 ? undefined : wanted);
}

/** Screens the changed texts of these tiers of each owner; of all owners if none are given. Returns whether there were any. */
export async function screenOwners(
  engine: Engine,
  caller: Caller,
  owned: ReadonlyMap<string, readonly Tier[]> | undefined,
): Promise<boolean> {
  const places = await engine.store.read(scopeOf(caller), async (tables) => {
    const found: TierPlace[] = [];
    for (const owner of owned?.keys() ?? [undefined]) {
      for await (const { name, etag } of documentsOf(tables, owner)) {
        const place = engine.screenedTiers.has(etag) ? undefined : fromTierPath(name);
        const isWanted = owned === undefined || (place !== undefined && owned.get(place.owner)?.includes(place.tier));
        if (place !== undefined && isWanted) found.push(place);
      }
    }
    return found;
  });
  for (const place of places) await screenTier(engine, caller, place);
  return places.length > 0;
}

/** Yields the documents of an owner, which are adjacent in the order of paths; without an owner, those of the workspace. */
async function* documentsOf(tables: Tables, owner: string | undefined) {
  const prefix = owner === undefined ? '' : `${owner}/`;
  for (let after = prefix; ; ) {
    const page = await tables.artifacts.list('document', {
      folder: tierNamespace,
      after: [tierNamespace, after],
      limit: pageSize,
    });
    for (const summary of page) {
      if (!summary.name.startsWith(prefix)) return;
      yield summary;
      after = summary.name;
    }
    if (page.length < pageSize) return;
  }
}
