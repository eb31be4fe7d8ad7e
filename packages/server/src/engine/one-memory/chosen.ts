import type { Recalled } from '../memories/recall/recall.js';
import { type CopyReason, copyReason, isDerived } from './copies.js';
import type { Member } from './member.js';
import { isOwn } from './reading.js';

export interface AnyRecalled extends Recalled {
  /** Whether these are the user's own words or data, and not somebody else's. */
  isOwn: boolean;
  /** Further stored copies of the statement, by the same author. */
  also: readonly { id: string; reason: CopyReason }[];
}

/** Collects results, best first. Copies of a statement that is already there are added to it. */
export class Chosen {
  readonly results: AnyRecalled[] = [];
  readonly #seen = new Set<string>();
  readonly #member: Member;
  readonly #limit: number;

  constructor(member: Member, limit: number) {
    this.#member = member;
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.results.length >= this.#limit;
  }

  /** Returns false for a memory that was already looked at. */
  isNew({ memory }: Recalled): boolean {
    if (this.#seen.has(memory.id)) return false;
    this.#seen.add(memory.id);
    return true;
  }

  add(one: Recalled): void {
    const own = isOwn(this.#member, one.memory);
    for (const [place, shown] of this.results.entries()) {
      if (shown.isOwn !== own || !isSameAuthor(shown, one, own)) continue;
      const reason = copyReason(shown.memory, one.memory);
      if (reason === undefined) continue;
      this.results[place] = merge(shown, one, reason);
      return;
    }
    if (!this.isFull) this.results.push({ ...one, isOwn: own, also: [] });
  }
}

/** What the user owns is the user's, whichever service stored it. */
function isSameAuthor(one: Recalled, other: Recalled, own: boolean): boolean {
  return own || one.memory.author === other.memory.author;
}

function merge(shown: AnyRecalled, copy: Recalled, reason: CopyReason): AnyRecalled {
  const isBetter = reason === 'same statement' && isDerived(shown.memory) && !isDerived(copy.memory);
  if (!isBetter) return { ...shown, also: [...shown.also, { id: copy.memory.id, reason }] };
  return { ...shown, memory: copy.memory, also: [{ id: shown.memory.id, reason }, ...shown.also] };
}
