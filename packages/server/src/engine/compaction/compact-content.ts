import { formatPointer, getAt, type Json, jsonEqual, type PatchOperation } from '@memhall/core';
import type { DocumentBody } from '../documents/governed-document.js';
import type { Binding, Profile } from '../documents/profile.js';
import { textKey } from '../documents/same-text.js';
import { textOf } from '../documents/text-of.js';

/** Sections are brought down to this share of their limit: room for what comes before the next time. */
const targetShare = 0.8;

export interface Compaction {
  ops: PatchOperation[];
  /** Texts that were taken out, to be kept as events. */
  removed: string[];
}

/**
 * How a document's content is tidied up: facts that have expired become questions, entries that say the same become one, and
 * sections that are nearly full lose what is worth least. undefined: nothing to do.
 */
export function compactContent(
  profile: Profile,
  binding: Binding,
  content: DocumentBody['content'],
  now: Date,
): Compaction | undefined {
  const sections = new Map<string, Section>();
  for (const pointer of sectionPointers(profile, binding)) {
    const entries = getAt({ content }, pointer);
    if (Array.isArray(entries)) sections.set(formatPointer(pointer), { before: entries, entries });
  }
  askAboutExpired(profile, sections, now);
  const removed: string[] = [];
  for (const [path, section] of sections) {
    const limit = binding.arrayLimits.get(path.replace('/content/', ''));
    const target = limit === undefined ? Number.POSITIVE_INFINITY : Math.floor(limit * targetShare);
    const { kept, dropped } = trim(mergeSame(section.entries), target);
    section.entries = kept;
    removed.push(...dropped.map(textOf).filter((text) => text !== ''));
  }
  const ops = [...sections].flatMap(([path, { before, entries }]): PatchOperation[] =>
    jsonEqual(before, entries) ? [] : [{ op: 'replace', path, value: entries }],
  );
  return ops.length === 0 ? undefined : { ops, removed };
}

interface Section {
  before: Json[];
  entries: Json[];
}

/** Every array of the content that has a limit or a role. */
function sectionPointers({ sections }: Profile, { arrayLimits }: Binding): (readonly string[])[] {
  const limited = [...arrayLimits.keys()].map((name) => ['content', name]);
  const roles = [sections.notes, sections.preferences, sections.durable_facts, sections.pending];
  return [...limited, ...roles.filter((pointer) => pointer !== undefined)];
}

/** A fact that says until when it holds is a question after that. */
function askAboutExpired({ sections: roles }: Profile, sections: ReadonlyMap<string, Section>, now: Date): void {
  const facts = roles.durable_facts && sections.get(formatPointer(roles.durable_facts));
  const pending = roles.pending && sections.get(formatPointer(roles.pending));
  if (facts === undefined || pending === undefined) return;
  const expired = facts.entries.filter((fact) => hasExpired(fact, now));
  facts.entries = facts.entries.filter((fact) => !hasExpired(fact, now));
  pending.entries = [...pending.entries, ...expired];
}

function hasExpired(fact: Json, now: Date): boolean {
  const expiry = Date.parse(String(memberOf(fact, 'expires_at') ?? ''));
  return expiry <= now.getTime();
}

/** Entries that say the same become the one that is surest, in the place of the first. */
function mergeSame(entries: readonly Json[]): Json[] {
  const byText = new Map<string, Json>();
  for (const [index, entry] of entries.entries()) {
    const key = textKey(textOf(entry)) || `${index}`;
    const known = byText.get(key);
    if (known === undefined || worth(entry, 0) > worth(known, 0)) byText.set(key, entry);
  }
  return [...byText.values()];
}

/** Drops what is worth least until `target` are left; the others keep their order. */
function trim(entries: readonly Json[], target: number): { kept: Json[]; dropped: Json[] } {
  if (entries.length <= target) return { kept: [...entries], dropped: [] };
  const ranked = entries
    .map((entry, index) => ({ index, worth: worth(entry, index) }))
    .sort((one, other) => other.worth - one.worth || other.index - one.index);
  const keep = new Set(ranked.slice(0, target).map(({ index }) => index));
  return {
    kept: entries.filter((_, index) => keep.has(index)),
    dropped: entries.filter((_, index) => !keep.has(index)),
  };
}

/** Facts by confidence, then by when they were last confirmed; what has neither by how late it was added. */
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
