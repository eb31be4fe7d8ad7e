import { applyPatch, formatPointer, getAt, type Json, jsonEqual, type PatchOperation } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import { contentChars, type Excess } from '../documents/document-limits.js';
import type { Binding, Profile } from '../documents/profile.js';
import { textKey } from '../documents/same-text.js';
import { textOf } from '../documents/text-of.js';

/** Sections and documents are reduced to this share of their limit, to leave room until the next compaction. */
const targetShare = 0.8;
const separatorChars = 1;

export interface Compaction {
  ops: PatchOperation[];
  /** Removed texts, to be stored as events. */
  removed: string[];
}

/**
 * Plans the compaction of a document: expired facts become questions, entries with the same meaning are merged, and
 * nearly full sections and documents lose their least valuable entries. With `excess`, they lose enough for a write that
 * would exceed a limit by that much. Returns undefined if there is nothing to do.
 */
export function compactContent(
  profile: Profile,
  binding: Binding,
  content: DocumentBody['content'],
  now: Date,
  excess?: Excess,
): Compaction | undefined {
  const sections = new Map<string, Section>();
  for (const pointer of sectionPointers(profile, binding)) {
    const entries = getAt({ content }, pointer);
    if (Array.isArray(entries)) sections.set(formatPointer(pointer), { before: entries, entries });
  }
  askAboutExpired(profile, sections, content, now);
  const removed: Json[] = [];
  for (const [path, section] of sections) {
    const limit = binding.arrayLimits.get(path.replace('/content/', '')) ?? Number.POSITIVE_INFINITY;
    const room = excess?.section === path ? (section.before?.length ?? 0) - excess.over : limit;
    const target = Math.min(Math.floor(limit * targetShare), room < 0 ? limit : room);
    const { kept, dropped } = trim(mergeSame(section.entries), target);
    section.entries = kept;
    removed.push(...dropped);
  }
  const ops = () =>
    [...sections].flatMap(([path, { before, entries }]): PatchOperation[] =>
      jsonEqual(before ?? null, entries)
        ? []
        : [{ op: before === undefined ? 'add' : 'replace', path, value: entries }],
    );
  const sizeChars = contentChars(getAt(applyPatch({ content }, ops()), ['content']) ?? null);
  const room = excess?.section === null ? contentChars(content) - excess.over : binding.maxChars;
  const targetChars = Math.min(Math.floor(binding.maxChars * targetShare), room);
  removed.push(...trimToSize(profile, sections, sizeChars - targetChars));
  const changes = ops();
  if (changes.length === 0) return undefined;
  return { ops: changes, removed: removed.map(textOf).filter((text) => text !== '') };
}

interface Section {
  /** undefined if the document does not have this section yet. */
  before: Json[] | undefined;
  entries: Json[];
}

/** Returns every array of the content that has a limit or a role. */
function sectionPointers({ sections }: Profile, { arrayLimits }: Binding): (readonly string[])[] {
  const limited = [...arrayLimits.keys()].map((name) => ['content', name]);
  const roles = [sections.notes, sections.preferences, sections.durable_facts, sections.pending];
  return [...limited, ...roles.filter((pointer) => pointer !== undefined)];
}

/** Turns facts whose stated end has passed into questions. */
function askAboutExpired(
  { sections: roles }: Profile,
  sections: Map<string, Section>,
  content: DocumentBody['content'],
  now: Date,
): void {
  const facts = roles.durable_facts && sections.get(formatPointer(roles.durable_facts));
  const expired = facts?.entries.filter((fact) => hasExpired(fact, now)) ?? [];
  if (facts === undefined || roles.pending === undefined || expired.length === 0) return;
  const path = formatPointer(roles.pending);
  if (!sections.has(path) && getAt({ content }, roles.pending) !== undefined) return;
  const pending = sections.get(path) ?? { before: undefined, entries: [] };
  facts.entries = facts.entries.filter((fact) => !hasExpired(fact, now));
  sections.set(path, { ...pending, entries: [...pending.entries, ...expired] });
}

function hasExpired(fact: Json, now: Date): boolean {
  const expiry = Date.parse(String(memberOf(fact, 'expires_at') ?? ''));
  return expiry <= now.getTime();
}

/** Merges entries that say the same into the most certain one, at the position of the first. */
function mergeSame(entries: readonly Json[]): Json[] {
  const byText = new Map<string, Json>();
  for (const [index, entry] of entries.entries()) {
    const key = textKey(textOf(entry)) || `${index}`;
    const known = byText.get(key);
    if (known === undefined || worth(entry, 0) > worth(known, 0)) byText.set(key, entry);
  }
  return [...byText.values()];
}

/**
 * Drops the least valuable entries until a document is smaller by `excess`: notes first, then questions, then facts.
 * Drops nothing if that would not be enough: the document is then large for another reason.
 */
function trimToSize({ sections: roles }: Profile, sections: ReadonlyMap<string, Section>, excess: number): Json[] {
  const expendable = [roles.notes, roles.pending, roles.durable_facts].flatMap(
    (pointer) => (pointer && sections.get(formatPointer(pointer))) ?? [],
  );
  const charsOf = (entry: Json) => contentChars(entry) + separatorChars;
  const mostChars = expendable.flatMap(({ entries }) => entries).reduce<number>((sum, one) => sum + charsOf(one), 0);
  if (excess <= 0 || mostChars < excess) return [];
  const dropped: Json[] = [];
  let left = excess;
  for (const section of expendable) {
    let count = 0;
    for (const { entry } of ranked(section.entries).reverse()) {
      if (left <= 0) break;
      left -= charsOf(entry);
      count += 1;
    }
    const trimmed = trim(section.entries, section.entries.length - count);
    section.entries = trimmed.kept;
    dropped.push(...trimmed.dropped);
  }
  return dropped;
}

/** Drops the least valuable entries until `target` are left; the others keep their order. */
function trim(entries: readonly Json[], target: number): { kept: Json[]; dropped: Json[] } {
  if (entries.length <= target) return { kept: [...entries], dropped: [] };
  const keep = new Set(
    ranked(entries)
      .slice(0, target)
      .map(({ index }) => index),
  );
  return {
    kept: entries.filter((_, index) => keep.has(index)),
    dropped: entries.filter((_, index) => !keep.has(index)),
  };
}

/** Most valuable first. */
function ranked(entries: readonly Json[]): { entry: Json; index: number; worth: number }[] {
  return entries
    .map((entry, index) => ({ entry, index, worth: worth(entry, index) }))
    .sort((one, other) => other.worth - one.worth || other.index - one.index);
}

/**
 * Facts are valued by confidence, then by when they were last confirmed; entries without a confidence by how late they
 * were added.
 */
function worth(entry: Json, index: number): number {
  const confidence = memberOf(entry, 'confidence');
  if (typeof confidence !== 'number') return index;
  const verifiedMs = Date.parse(String(memberOf(entry, 'last_verified_at') ?? '')) || 0;
  return Math.round(confidence * 100) * 1e14 + verifiedMs;
}

function memberOf(entry: Json, name: string): Json | undefined {
  const isObject = entry !== null && typeof entry === 'object' && !Array.isArray(entry);
  return isObject && Object.hasOwn(entry, name) ? entry[name] : undefined;
}
