import { findCapWarning, type Tier, tierCaps } from '@memhall/core';
import { ProviderInvalid } from './provider-errors.js';

export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** The text that a tier holds afterwards; what is appended begins on a line of its own. */
export function appendText(before: string, content: string): string {
  const separator = before === '' || content === '' || before.endsWith('\n') ? '' : '\n';
  return `${before}${separator}${content}`;
}

/** Throws when a text is too large for its tier. Answers with a warning when it soon will be. */
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
    `${tier} may have ${cap} bytes and would have ${projected}; it has ${current} now. Nothing was written. Write less, or replace the text with a shorter one.`,
    details,
  );
}
