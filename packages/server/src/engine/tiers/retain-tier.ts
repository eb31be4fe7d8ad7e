import { describeFault, findCapWarning, Problem, type Tier, tierCaps } from '@memhall/core';
import { isOffTheRecord } from '../audit/off-the-record.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { redactUnblocked } from '../guard-models.js';
import { sizeBytesOf, toText } from '../text-lines.js';
import { withoutReleased } from './released-texts.js';
import { screenTier } from './screen-tier.js';
import { prepareTierIndex } from './tier-index.js';
import { type TierOwners, toTierPlace } from './tier-place.js';
import { appendText } from './tier-text.js';
import { writeTier } from './write-tier.js';

export const retainModes = ['replace', 'append'] as const;
type RetainMode = (typeof retainModes)[number];

interface RetainInput extends TierOwners {
  tier: Tier;
  key?: string | undefined;
  content: string;
  mode: RetainMode;
}

export interface Retained {
  label: string;
  /** Size of the whole text. */
  sizeBytes: number;
  warning: string | undefined;
  /** False if it is off the record, and the text is as it was. */
  isStored: boolean;
}

/**
 * Replaces the text of a tier of the caller's workspace, or appends to it, unless that is off the record. Secrets are redacted.
 * Throws INVALID_REQUEST, CONTENT_BLOCKED or TIER_CAP_EXCEEDED without writing anything.
 */
export async function retainTier(engine: Engine, caller: Caller, input: RetainInput): Promise<Retained> {
  const { tier, key, mode } = input;
  const place = toTierPlace(tier, key, input);
  const fault = describeFault(input.content);
  if (fault !== undefined) throw new Problem('INVALID_REQUEST', `"content" ${fault}.`);
  const given = input.content.normalize('NFC');
  const { text: present, kept, pieces } = await screenTier(engine, caller, place);
  if (await isOffTheRecord(engine, caller)) return toRetained(input, place.label, present, false);
  const combine = (before: string, addition: string) => (mode === 'replace' ? addition : appendText(before, addition));
  // Two harmless texts may be harmful together.
  const scannedWith = (before: string) => [given, combine(before, given)].map((text) => withoutReleased(text, kept));
  const { text: added, found } = await redactUnblocked(engine, caller, given, scannedWith(present));
  const index = await prepareTierIndex(engine, caller, place, { known: pieces, text: combine(present, added) });
  const { document } = await writeTier(engine, caller, {
    place,
    reason: 'live_update',
    precondition: { kind: 'none' },
    index,
    writersAfter: (before) => [...new Set([...(mode === 'replace' ? [] : before), caller.actor.userId ?? ''])],
    async draft(before) {
      const text = combine(before, added);
      checkCap(tier, before, text);
      if (mode === 'append' && before !== present) await redactUnblocked(engine, caller, '', scannedWith(before));
      return text;
    },
  });
  engine.telemetry.countRedactions(found);
  return toRetained(input, place.label, toText(document.body.content), true);
}

function toRetained({ tier }: RetainInput, label: string, text: string, isStored: boolean): Retained {
  const sizeBytes = sizeBytesOf(text);
  return { label, sizeBytes, warning: findCapWarning(tier, sizeBytes), isStored };
}

function checkCap(tier: Tier, before: string, after: string): void {
  const cap = tierCaps[tier];
  const [current, projected] = [sizeBytesOf(before), sizeBytesOf(after)];
  if (cap === null || projected <= cap) return;
  const message = `${tier} can have ${cap} bytes and would have ${projected}: send less, or replace the text with a shorter one.`;
  throw new Problem('TIER_CAP_EXCEEDED', message, { details: { tier, cap, projected, current } });
}
