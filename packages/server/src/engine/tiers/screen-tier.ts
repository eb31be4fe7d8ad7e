import { type HostilePart, Problem, replaceParts, splitEntries, uuidv7 } from '@memhall/core';
import type { QuarantinedText } from '../../ports/quarantine.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, systemCaller } from '../caller.js';
import type { Engine } from '../engine.js';
import { reportBlocked } from '../guard-models.js';
import { readLong } from '../read-long.js';
import { hostileEntriesTask } from './hostile-entries.js';
import { releasedTexts } from './released-texts.js';
import { isIndexed, prepareTierIndex, storeTierIndex } from './tier-index.js';
import type { TierPlace } from './tier-place.js';
import { readTierState, type TierState } from './tier-state.js';
import { blockedMark } from './tier-text.js';
import { hashOfText, writeTier } from './write-tier.js';

const maxTries = 5;

/**
 * Returns the text of a tier, safe for a model to read. Text that did not come through `retainTier` is scanned now, once for each
 * state. It is added to the search index; its hostile entries are moved to quarantine and replaced with placeholders.
 */
export async function screenTier(engine: Engine, caller: Caller, place: TierPlace): Promise<TierState> {
  for (let tries = 1; ; tries++) {
    const state = await readTierState(engine, caller, place);
    const { artifact } = state;
    if (artifact === undefined || engine.screenedTiers.has(artifact.etag)) return state;
    try {
      if (await screenState(engine, caller, place, state, artifact.etag)) return state;
    } catch (error) {
      const changed = error instanceof Problem && error.code === 'ETAG_MISMATCH';
      if (!changed || tries === maxTries) throw error;
    }
  }
}

/** Returns false if something was quarantined or the text changed concurrently, so that it must be read again. */
async function screenState(
  engine: Engine,
  caller: Caller,
  place: TierPlace,
  state: TierState,
  etag: string,
): Promise<boolean> {
  const released = releasedTexts(state.kept);
  const find = (text: string) => readLong(engine, hostileEntriesTask, { text, released }, text.length);
  const parts = await find(state.text);
  reportBlocked(engine, caller, place.path, parts);
  const acting = { ...systemCaller(caller.tenantId, caller.userId, 'quarantine.add'), requestId: caller.requestId };
  if (parts.length === 0) return indexState(engine, acting, place, state, etag);
  const taken = takeOut(engine, acting, place, state, parts);
  const isClean = (await find(taken.text)).length === 0;
  const { text, held } = isClean ? taken : takeOut(engine, acting, place, state, wholeOf(state, parts));
  const prepared = await prepareTierIndex(engine, acting, place, { known: state.pieces, text });
  const index = { ...prepared, writtenBy: state.artifact?.body.updated_by };
  await writeTier(engine, acting, {
    place,
    reason: 'quarantine',
    precondition: { kind: 'one-of', etags: [etag] },
    index,
    draft: () => text,
    alongside: (tables) => {
      for (const one of held) tables.quarantine.put(one);
    },
  });
  return false;
}

/** Placeholders are harmless next to any text we know of. Should they ever not be, the whole text is withheld. */
function wholeOf({ text }: TierState, [first]: readonly HostilePart[]): HostilePart[] {
  return first === undefined ? [] : [{ ...first, from: 0, to: splitEntries(text).length }];
}

/** Returns the text with placeholders, and what they stand for. */
function takeOut(
  engine: Engine,
  caller: Caller,
  place: TierPlace,
  state: TierState,
  parts: readonly HostilePart[],
): { text: string; held: QuarantinedText[] } {
  const entries = splitEntries(state.text);
  const held = new Map<string, QuarantinedText>();
  const shown = replaceParts(entries, parts, (part) => {
    const text = entries.slice(part.from, part.to).join('\n');
    const found = held.get(text) ?? toQuarantined(engine, caller, place, state, { ...part, text });
    held.set(text, found);
    return placeholderOf(found);
  });
  return { text: shown.join('\n'), held: [...held.values()] };
}

async function indexState(
  engine: Engine,
  caller: Caller,
  place: TierPlace,
  { text, pieces, artifact }: TierState,
  etag: string,
): Promise<boolean> {
  const writtenBy = artifact?.body.updated_by;
  if (!isIndexed(place, text, pieces)) {
    const index = { ...(await prepareTierIndex(engine, caller, place, { known: pieces, text })), writtenBy };
    const outcome = await mutate(engine, caller, async (tables, now) => {
      const present = await tables.artifacts.get({ kind: 'document', folder: place.namespace, name: place.path });
      if (present?.etag !== etag) return { result: undefined, mutations: [] };
      const { waits, mutations } = await storeTierIndex(engine, tables, caller, place, text, { ...index, now });
      return { result: { waits }, mutations };
    });
    if (outcome === undefined) return false;
    if (outcome.waits && engine.embedder !== null) engine.onUnembedded(caller.tenantId);
  }
  engine.screenedTiers.add(etag);
  return true;
}

/**
 * Returns the category and the start of the hash, but nothing of the text, nor the rule: its name may reveal what it forbids.
 * Placeholders are stored in tiers and searched for on release, so the format must not change.
 */
export function placeholderOf({ category, contentHash }: Pick<QuarantinedText, 'category' | 'contentHash'>): string {
  return `${blockedMark} ${category}, in quarantine as ${contentHash.slice(0, 16)}]`;
}

function toQuarantined(
  { clock }: Engine,
  { userId }: Caller,
  { namespace, path }: TierPlace,
  { artifact, kept }: TierState,
  { text, category, rule }: { text: string; category: string; rule: string },
): QuarantinedText {
  const now = clock.now();
  const contentHash = hashOfText(text);
  const known = kept.find((one) => one.contentHash === contentHash);
  const origin = {
    updatedBy: artifact?.body.updated_by ?? '',
    version: artifact?.version ?? 0,
    etag: artifact?.etag ?? '',
  };
  return {
    ...{ id: known?.id ?? uuidv7(now.getTime()), userId, namespace, path, contentHash, text, category, rule },
    ...{ status: 'held', origin, createdAt: known?.createdAt ?? now, updatedAt: now },
  };
}
