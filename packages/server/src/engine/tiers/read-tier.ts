import type { Tier } from '@memhall/core';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { screenTier } from './screen-tier.js';
import { type TierOwners, toTierPlace } from './tier-place.js';

/** Returns the text of a tier for a model to read: empty if there is none, a placeholder if it must not be read. */
export async function readTier(
  engine: Engine,
  caller: Caller,
  { tier, key, ...owners }: TierOwners & { tier: Tier; key?: string | undefined },
): Promise<{ label: string; text: string }> {
  const place = toTierPlace(tier, key, owners);
  const { text } = await screenTier(engine, caller, place);
  return { label: place.label, text };
}
