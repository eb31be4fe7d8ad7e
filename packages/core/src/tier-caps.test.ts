import { describe, expect, it } from 'vitest';
import { findCapWarning, tierCaps } from './tier-caps.js';
import { tiers } from './tier-key.js';

describe('findCapWarning', () => {
  it.each(tiers.filter((tier) => tierCaps[tier] !== null))('starts at 80 %% of the cap of %s', (tier) => {
    const cap = tierCaps[tier] ?? 0;
    expect(findCapWarning(tier, Math.ceil(cap * 0.8) - 1)).toBeUndefined();
    expect(findCapWarning(tier, Math.ceil(cap * 0.8))).toContain(`of ${cap} bytes (80 %)`);
    expect(findCapWarning(tier, cap)).toContain('100 %');
  });

  it('never appears without a cap', () => {
    expect(findCapWarning('lessons', 1_000_000)).toBeUndefined();
  });
});
