import { formatPointer, getAt, type Json, type PatchOperation } from '@memhall/core';
import type { ConfirmedFact, ProposedFact } from '../../ports/extractor.js';
import { sameText } from '../documents/same-text.js';
import { textOf } from '../documents/text-of.js';
import type { DocumentView, FactContext, FactRole, Home, PatchSuffix, ProposedPatch } from './proposed-patch.js';

/**
 * Collects the operations on one document. Indices refer to the original document, so replacements come first, then
 * removals from the end, then additions at the end.
 */
export class PatchDraft {
  readonly #replacements: PatchOperation[] = [];
  readonly #removals: { section: readonly string[]; index: number }[] = [];
  readonly #additions: PatchOperation[] = [];
  /** Sections that the document does not have yet. */
  readonly #newSections = new Map<string, Json[]>();
  readonly #facts: Pick<ProposedFact, 'confidence' | 'evidence'>[] = [];

  constructor(
    readonly view: DocumentView,
    readonly suffix: PatchSuffix,
    readonly context: FactContext,
  ) {}

  place(fact: ProposedFact, { role, section }: Home): void {
    const present = findEntry(this.view, section, fact.text);
    if (present !== undefined) {
      if (role === 'durable_facts' && this.suffix === '') this.verify(fact, section, present);
      return;
    }
    // An unconfirmed fact must not replace a known one.
    const isCorrection = fact.supersedes !== undefined && this.suffix !== '-pending';
    const outdated = isCorrection ? findEntry(this.view, section, fact.supersedes ?? '') : undefined;
    const value = this.#toValue(fact, role);
    if (outdated === undefined) this.#append(section, value);
    else this.#replacements.push({ op: 'replace', path: formatPointer([...section, String(outdated)]), value });
    this.#facts.push(fact);
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
      this.#replacements.push({ op: 'add', path: formatPointer([...section, String(index), name]), value });
      this.#facts.push(fact);
    }
  }

  /** Turns a pending entry that was stated again into a fact, in its own words. */
  confirm(fact: ConfirmedFact, { role, section }: Home, asked: { section: readonly string[]; index: number }): void {
    this.#removals.push(asked);
    this.#append(section, this.#toValue(fact, role));
    this.#facts.push(fact);
  }

  toPatch(): ProposedPatch | undefined {
    const removals = this.#removals.toSorted((one, other) => other.index - one.index);
    const ops: PatchOperation[] = [
      ...this.#replacements,
      ...removals.map(({ section, index }) => ({
        op: 'remove' as const,
        path: formatPointer([...section, String(index)]),
      })),
      ...this.#additions,
      ...[...this.#newSections].map(([path, value]) => ({ op: 'add' as const, path, value })),
    ];
    if (ops.length === 0) return undefined;
    return {
      view: this.view,
      ops,
      confidence: Math.min(...this.#facts.map(({ confidence }) => confidence)),
      evidence: this.#evidence([...new Set(this.#facts.flatMap(({ evidence }) => evidence))]),
      suffix: this.suffix,
    };
  }

  #append(section: readonly string[], value: Json): void {
    const path = formatPointer(section);
    if (Array.isArray(getAt(this.view.body, section))) {
      this.#additions.push({ op: 'add', path: `${path}/-`, value });
    } else {
      this.#newSections.set(path, [...(this.#newSections.get(path) ?? []), value]);
    }
  }

  #toValue(fact: ConfirmedFact | ProposedFact, role: FactRole): Json {
    if (role !== 'durable_facts') return fact.text;
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

/** Returns the index of a text in a section of a document; undefined if it is not there. */
export function findEntry({ body }: DocumentView, section: readonly string[], text: string): number | undefined {
  const entries = getAt(body, section);
  const index = Array.isArray(entries) ? entries.findIndex((entry) => sameText(textOf(entry), text)) : -1;
  return index === -1 ? undefined : index;
}
