import { findCapWarning, type Tier, tierCaps } from '@memhall/core';
import { ProviderInvalid } from './provider-errors.js';

export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Returns the text after an append. The appended content starts on a new line. */
export function appendText(before: string, content: string): string {
  const separator = before === '' || content === '' || before.endsWith('\n') ? '' : '\n';
  return `${before}${separator}${content}`;
}

/** Throws if a text is too large for its tier. Returns a warning if it is close to the cap. */
export function checkCap(tier: Tier, before: string, after: string): string | undefined {
  const cap = tierCaps[tier];
  const projected = byteLength(after);
  if (cap !== null && projected > cap) throw capExceeded({ tier, cap, projected, current: byteLength(before) });
  return findCapWarning(tier, projected);
}

export function capExceeded(details: { tier: string; cap: number; projected: number; current: number }) {
  const { tier, cap, projected, current } = details;
  return new ProviderInvalid(
    'TIER_CAP_EXCEEDED',
    `${tier} may have at most ${cap} bytes but would have ${projected}; it has ${current} now. Nothing was written. Write less, or replace the text with a shorter one.`,
    details,
  );
}
