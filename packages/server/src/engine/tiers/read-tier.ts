import type { Tier } from '@memhall/core';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { screenTier } from './screen-tier.js';
import { type TierOwners, toTierPlace } from './tier-place.js';

/** The text of a tier for a model to read: '' where there is none, a placeholder where it must not be read. */
export async function readTier(
  engine: Engine,
  caller: Caller,
  { tier, key, ...owners }: TierOwners & { tier: Tier; key?: string | undefined },
): Promise<{ label: string; text: string }> {
  const place = toTierPlace(tier, key, owners);
  const { text } = await screenTier(engine, caller, place);
  return { label: place.label, text };
}
