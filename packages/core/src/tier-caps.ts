import type { Tier } from './tier-key.js';

/** Maximum size of a tier's text in UTF-8 bytes. Null means that only the general document limit applies. */
export const tierCaps: Readonly<Record<Tier, number | null>> = {
  AGENT: 4000,
  CREW: 4000,
  PERSONA: 1500,
  pins: 8000,
  daily: 30_000,
  peers: 1500,
  lessons: null,
};

const warnFromPercent = 80;

/** Returns a warning for a writer whose text has reached 80 % of its cap or more, or undefined. */
export function findCapWarning(tier: Tier, sizeBytes: number): string | undefined {
  const cap = tierCaps[tier];
  if (cap === null || sizeBytes * 100 < cap * warnFromPercent) return undefined;
  const percent = Math.floor((sizeBytes * 100) / cap);
  return `${tier} holds ${sizeBytes} of ${cap} bytes (${percent} %). Shorten it with mode replace before it is full.`;
}
