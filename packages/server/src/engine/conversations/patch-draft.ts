import { formatPointer, getAt, type Json, type PatchOperation } from '@memhall/core';
import type { ConfirmedFact, ProposedFact } from '../../ports/extractor.js';
import { contentChars } from '../documents/document-limits.js';
import { sameText } from '../documents/same-text.js';
import { textOf } from '../documents/text-of.js';
import type { DocumentView, FactContext, FactRole, PatchRoom, PatchSuffix, ProposedPatch } from './proposed-patch.js';

interface Placed {
  fact: ConfirmedFact | ProposedFact;
}

interface Change extends Placed {
  operation: PatchOperation;
}

interface Addition extends Placed {
  section: readonly string[];
  value: Json;
  /** The pending entry that it replaces. */
  asked?: { section: readonly string[]; index: number };
}

/**
 * Collects the operations on one section of a document. Indices refer to the original document, so replacements come
 * first, then removals from the end, then additions at the end.
 */
export class PatchDraft {
  readonly #corrections: Change[] = [];
  readonly #verifications: Change[] = [];
  readonly #additions: Addition[] = [];

  constructor(
    readonly view: DocumentView,
    readonly role: FactRole,
    readonly suffix: PatchSuffix,
    readonly room: PatchRoom,
    readonly context: FactContext,
  ) {}

  place(fact: ProposedFact, section: readonly string[]): void {
    const present = findEntry(this.view, section, fact.text);
    if (present !== undefined) {
      if (this.role === 'durable_facts' && this.suffix === '') this.verify(fact, section, present);
      return;
    }
    // An unconfirmed fact must not replace a known one.
    const isCorrection = fact.supersedes !== undefined && this.suffix !== '-pending';
    const outdated = isCorrection ? findEntry(this.view, section, fact.supersedes ?? '') : undefined;
    const value = this.#toValue(fact);
    if (outdated === undefined) this.#additions.push({ fact, section, value });
    else {
      const path = formatPointer([...section, String(outdated)]);
      this.#corrections.push({ fact, operation: { op: 'replace', path, value } });
    }
  }

  /** Marks a fact as verified, because it was stated again. */
  verify(fact: ConfirmedFact | ProposedFact, section: readonly string[], index: number): void {
    const entry = getAt(this.view.body, [...section, String(index)]);
    if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) return;
    const saidAt = this.context.saidAt(fact.evidence).toISOString();
    const members = {
      ...(saidAt > String(entry.last_verified_at ?? '') ? { last_verified_at: saidAt } : {}),
      ...(fact.expiresAt === undefined ? {} : { expires_at: fact.expiresAt }),
    };
    for (const [name, value] of Object.entries(members)) {
      if (entry[name] === value) continue;
      const path = formatPointer([...section, String(index), name]);
      this.#verifications.push({ fact, operation: { op: 'add', path, value } });
    }
  }

  /** Turns a pending entry that was stated again into a fact, in its own words. */
  confirm(fact: ConfirmedFact, section: readonly string[], asked: NonNullable<Addition['asked']>): void {
    this.#additions.push({ fact, section, value: this.#toValue(fact), asked });
  }

  /**
   * Keeps what a patch may hold: corrections, then additions, then verifications, and of each the later ones. `dropped`:
   * how many facts are too many, even if nothing else were in the section.
   */
  toPatch(): { patch: ProposedPatch | undefined; dropped: number } {
    const corrections = lastOf(this.#corrections, this.room.operations);
    const additions = this.#fitting(this.room.operations - corrections.length);
    const removals = toRemovals(additions);
    const left = this.room.operations - corrections.length - additions.length - removals.length;
    const changes = [...corrections, ...lastOf(this.#verifications, left)];
    const ops = [...changes.map(({ operation }) => operation), ...removals, ...this.#toAdditions(additions)];
    const facts = [...changes, ...additions].map(({ fact }) => fact);
    const patch: ProposedPatch = {
      view: this.view,
      role: this.role,
      ops,
      confidence: Math.min(...facts.map(({ confidence }) => confidence)),
      evidence: this.#evidence([...new Set(facts.flatMap(({ evidence }) => evidence))]),
      suffix: this.suffix,
    };
    const placed = this.#corrections.length + this.#additions.length;
    return {
      patch: ops.length === 0 ? undefined : patch,
      dropped: placed - corrections.length - additions.length,
    };
  }

  #fitting(operations: number): Addition[] {
    let [entries, chars, used] = [0, 0, 0];
    const unfit = this.#additions.findLastIndex(({ value, asked }) => {
      entries += 1;
      chars += contentChars(value);
      used += asked === undefined ? 1 : 2;
      return entries > this.room.entries || used > operations || (entries > 1 && chars > this.room.chars);
    });
    return this.#additions.slice(unfit + 1);
  }

  /** A section that the document does not have yet is added as a whole. */
  #toAdditions(additions: readonly Addition[]): PatchOperation[] {
    const started = new Map<string, Json[]>();
    const appended: PatchOperation[] = [];
    for (const { section, value } of additions) {
      const path = formatPointer(section);
      if (Array.isArray(getAt(this.view.body, section))) appended.push({ op: 'add', path: `${path}/-`, value });
      else started.set(path, [...(started.get(path) ?? []), value]);
    }
    return [...appended, ...[...started].map(([path, value]) => ({ op: 'add' as const, path, value }))];
  }

  #toValue(fact: ConfirmedFact | ProposedFact): Json {
    if (this.role !== 'durable_facts') return fact.text;
    return {
      text: fact.text,
      confidence: fact.confidence,
      evidence: this.#evidence(fact.evidence),
      last_verified_at: this.context.saidAt(fact.evidence).toISOString(),
      ...(fact.expiresAt === undefined ? {} : { expires_at: fact.expiresAt }),
    };
  }

  #evidence(messageIds: readonly string[]): Json {
    const { snapshotUri, conversationId } = this.context;
    return { snapshot_uri: snapshotUri, conversation_id: conversationId, message_ids: [...messageIds] };
  }
}

function lastOf<T>(all: readonly T[], count: number): T[] {
  return all.slice(Math.max(0, all.length - count));
}

function toRemovals(additions: readonly Addition[]): PatchOperation[] {
  return additions
    .flatMap(({ asked }) => asked ?? [])
    .sort((one, other) => other.index - one.index)
    .map(({ section, index }) => ({ op: 'remove', path: formatPointer([...section, String(index)]) }));
}

/** Returns the index of a text in a section of a document; undefined if it is not there. */
export function findEntry({ body }: DocumentView, section: readonly string[], text: string): number | undefined {
  const entries = getAt(body, section);
  const index = Array.isArray(entries) ? entries.findIndex((entry) => sameText(textOf(entry), text)) : -1;
  return index === -1 ? undefined : index;
}
