import { getAt, startsWithSegments } from '@memhall/core';
import type { ConfirmedFact, Extraction, FactKind, ProposedFact } from '../../ports/extractor.js';
import type { Binding, Profile } from '../documents/profile.js';
import { findEntry, PatchDraft } from './patch-draft.js';
import type {
  DocumentView,
  FactContext,
  FactRole,
  Home,
  PatchRoom,
  PatchSuffix,
  ProposedPatch,
} from './proposed-patch.js';

interface PlacedFacts {
  patches: ProposedPatch[];
  /** Number of facts that were not placed, by reason. */
  refused: { too_unsure: number; no_place: number; too_many: number };
}

/**
 * Assigns proposed facts to sections: preferences and decisions to their sections in the profile, everything else to
 * its durable facts. A fact that corrects another one replaces it. A fact that is not certain enough is either proposed
 * as pending confirmation or refused. A known fact that was stated again is marked as verified or, if it was pending
 * confirmation, becomes a fact.
 */
export function factsToPatches(
  profile: Profile,
  views: readonly DocumentView[],
  { facts, confirmed }: Pick<Extraction, 'facts' | 'confirmed'>,
  context: FactContext,
): PlacedFacts {
  const refused = { too_unsure: 0, no_place: 0, too_many: 0 };
  const drafts = new Map<string, PatchDraft>();
  const draftOf: DraftOf = ({ view, role, section }, suffix) => {
    const key = `${view.place.namespace}/${view.place.path}-${role}${suffix}`;
    const target = suffix === '-pending' ? (profile.sections.pending ?? section) : section;
    const draft = drafts.get(key) ?? new PatchDraft(view, role, suffix, roomIn(view.binding, target), context);
    drafts.set(key, draft);
    return draft;
  };
  for (const fact of facts) {
    const home = findHome(profile, views, fact.kind);
    const suffix = home && suffixOf(profile, home.role, fact);
    if (home === undefined) refused.no_place += 1;
    else if (suffix === undefined) refused.too_unsure += 1;
    else draftOf(home, suffix).place(fact, home.section);
  }
  for (const fact of confirmed) confirm(profile, views, fact, draftOf);
  const patches: ProposedPatch[] = [];
  for (const { patch, dropped } of [...drafts.values()].map((draft) => draft.toPatch())) {
    if (patch !== undefined) patches.push(patch);
    refused.too_many += dropped;
  }
  return { patches, refused };
}

type DraftOf = (home: Home, suffix: PatchSuffix) => PatchDraft;

/** Half of a document: compaction can usually make that much room, whatever else is in it. */
function roomIn({ arrayLimits, maxChars, maxOps }: Binding, section: readonly string[]): PatchRoom {
  const limit = section.length === 2 ? arrayLimits.get(section[1] ?? '') : undefined;
  return { entries: limit ?? Number.POSITIVE_INFINITY, chars: Math.floor(maxChars / 2), operations: maxOps };
}

const rolesByKind: Partial<Record<FactKind, readonly FactRole[]>> = {
  preference: ['preferences', 'durable_facts'],
  decision: ['notes', 'durable_facts'],
};

/** Finds a document that has the section, else one that may get it. */
function findHome(profile: Profile, views: readonly DocumentView[], kind: FactKind): Home | undefined {
  for (const role of rolesByKind[kind] ?? (['durable_facts'] as const)) {
    const section = profile.sections[role];
    if (section === undefined) continue;
    const writable = views.filter(({ binding }) => mayWrite(binding, section));
    const at = ({ body }: DocumentView, place: readonly string[]) => getAt(body, place);
    const view =
      writable.find((candidate) => Array.isArray(at(candidate, section))) ??
      writable.find((candidate) => at(candidate, section) === undefined && at(candidate, section.slice(0, -1)));
    if (view !== undefined) return { view, role, section };
  }
  return undefined;
}

function mayWrite({ writeMode, writable }: Binding, section: readonly string[]): boolean {
  return writeMode !== 'read_only' && writable.some(({ segments }) => startsWithSegments(segments, section));
}

/**
 * Returns the patch of its document that a fact belongs to; undefined if none. A patch is as certain as its least
 * certain fact.
 */
function suffixOf(profile: Profile, role: FactRole, { confidence }: Pick<ProposedFact, 'confidence'>) {
  const { minConfidenceForAutoApply, minConfidenceForDurableFact } = profile;
  const forFacts = Math.max(minConfidenceForAutoApply, minConfidenceForDurableFact);
  if (confidence >= forFacts) return '';
  if (role !== 'durable_facts' && confidence >= minConfidenceForAutoApply) return '-less-sure';
  return profile.onLowConfidence === 'pending' && profile.sections.pending !== undefined ? '-pending' : undefined;
}

function confirm(profile: Profile, views: readonly DocumentView[], fact: ConfirmedFact, draftOf: DraftOf): void {
  const { durable_facts: facts, pending } = profile.sections;
  const known = facts && find(views, facts, fact.text);
  if (facts !== undefined && known !== undefined) {
    const isSure = suffixOf(profile, 'durable_facts', fact) === '';
    if (!isSure || !mayWrite(known.view.binding, facts)) return;
    const home: Home = { view: known.view, role: 'durable_facts', section: facts };
    draftOf(home, '').verify(fact, facts, known.index);
    return;
  }
  const asked = pending && find(views, pending, fact.text);
  const home = findHome(profile, views, fact.kind);
  if (pending === undefined || asked === undefined || home === undefined || home.view !== asked.view) return;
  const suffix = suffixOf(profile, home.role, fact);
  if (suffix === undefined || suffix === '-pending' || !mayWrite(asked.view.binding, pending)) return;
  draftOf(home, suffix).confirm(fact, home.section, { section: pending, index: asked.index });
}

function find(views: readonly DocumentView[], section: readonly string[], text: string) {
  for (const view of views) {
    const index = findEntry(view, section, text);
    if (index !== undefined) return { view, index };
  }
  return undefined;
}
