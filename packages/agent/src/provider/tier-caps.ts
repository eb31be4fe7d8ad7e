import type { Tier } from '@memhall/core';
import { ProviderInvalid } from './provider-errors.js';

/** In bytes of UTF-8. Lessons are written by whoever looks after the agent and have no cap of their own. */
export const tierCaps: Readonly<Partial<Record<Tier, number>>> = {
  AGENT: 4000,
  CREW: 4000,
  PERSONA: 1500,
  pins: 8000,
  daily: 30_000,
  peers: 1500,
};

const warnFrom = 0.8;

export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** The text that a tier holds afterwards; what is appended begins on a line of its own. */
export function appendText(before: string, content: string): string {
  return before === '' || before.endsWith('\n') ? before + content : `${before}\n${content}`;
}

/** Throws when a text is too large for its tier. Answers with a warning when it soon will be. */
export function checkCap(tier: Tier, before: string, after: string): string | undefined {
  const cap = tierCaps[tier];
  if (cap === undefined) return undefined;
  const projected = byteLength(after);
  if (projected > cap) throw capExceeded({ tier, cap, projected, current: byteLength(before) });
  if (projected < cap * warnFrom) return undefined;
  const percent = Math.floor((projected / cap) * 100);
  return `${tier} is ${percent} % full: ${projected} of ${cap} bytes. Shorten it with mode "replace" before it overflows.`;
}

export function capExceeded(details: { tier: string; cap: number; projected: number; current: number }) {
  const { tier, cap, projected, current } = details;
  return new ProviderInvalid(
    'TIER_CAP_EXCEEDED',
    `${tier} may have ${cap} bytes and would have ${projected}; it has ${current} now. Nothing was written. Write less, or replace the text with a shorter one.`,
    details,
  );
}
