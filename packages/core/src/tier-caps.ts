import type { Tier } from './tier-key.js';

/** Most that a tier's text may have, in bytes of UTF-8; null: no more than any document may have. */
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

/** What to tell a writer whose text is about to reach its cap; undefined: there is room. */
export function findCapWarning(tier: Tier, sizeBytes: number): string | undefined {
  const cap = tierCaps[tier];
  if (cap === null || sizeBytes * 100 < cap * warnFromPercent) return undefined;
  const percent = Math.floor((sizeBytes * 100) / cap);
  return `${tier} holds ${sizeBytes} of ${cap} bytes (${percent} %): shorten it with mode replace before it is full.`;
}
