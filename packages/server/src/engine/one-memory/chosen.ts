import type { Memory } from '../../ports/memories.js';
import { type CopyReason, isDerived, onlySourceOf, statementOf } from './copies.js';
import type { Judged } from './judge.js';
import type { Member } from './member.js';
import { isOwn } from './reading.js';

export interface AnyRecalled extends Judged {
  /** Whether these are the user's own words or data, and not somebody else's. */
  isOwn: boolean;
  /** Further stored copies of the statement, by the same author. */
  also: readonly { id: string; reason: CopyReason }[];
}

/** A result, and what another memory with a certain key is to it. */
interface Match {
  place: number;
  reason: CopyReason;
}

/** Collects results, best first. Copies of a statement that is already there are added to it. */
export class Chosen {
  /** Undefined in place of a result that turned out to be a copy of an earlier one. */
  readonly #found: (AnyRecalled | undefined)[] = [];
  readonly #seen = new Set<string>();
  readonly #matches = new Map<string, Match[]>();
  readonly #member: Member;
  readonly #limit: number;

  constructor(member: Member, limit: number) {
    this.#member = member;
    this.#limit = limit;
  }

  get results(): AnyRecalled[] {
    return this.#found.filter((one) => one !== undefined).slice(0, this.#limit);
  }

  get isFull(): boolean {
    return this.results.length >= this.#limit;
  }

  /** Returns false for a memory that was already looked at. */
  isNew({ memory }: Judged): boolean {
    if (this.#seen.has(memory.id)) return false;
    this.#seen.add(memory.id);
    return true;
  }

  add(one: Judged): void {
    const { memory } = one;
    const own = isOwn(this.#member, memory);
    // What the user owns is the user's, whichever service stored it.
    const author = own ? 'own' : `by ${memory.author}`;
    const [match, ...others] = this.#find(author, memory);
    const shown = match && this.#found[match.place];
    if (match === undefined || shown === undefined) {
      this.#found.push({ ...one, isOwn: own, also: [] });
      this.#expect(author, memory, { place: this.#found.length - 1, reason: 'same statement' });
      return;
    }
    this.#found[match.place] = merge(shown, one, match.reason);
    this.#expect(author, memory, match);
    if (match.reason === 'same statement') for (const other of others) this.#unite(match.place, other.place);
  }

  /** Returns the results that a memory is a copy of. If it says the same as one of them, that one is first. */
  #find(author: string, memory: Memory): Match[] {
    const keys = [`statement ${statementOf(memory.content)}`, `from ${onlySourceOf(memory)}`, `source ${memory.id}`];
    return keys
      .flatMap((key) => this.#matches.get(`${author}\n${key}`) ?? [])
      .filter(({ place }) => this.#found[place] !== undefined);
  }

  /** A fact was found before its message, and a copy of the message before both: the fact says a part of what is shown. */
  #unite(place: number, later: number): void {
    const [shown, part] = [this.#found[place], this.#found[later]];
    if (place === later || shown === undefined || part === undefined) return;
    this.#found[later] = undefined;
    this.#found[place] = {
      ...shown,
      also: [...shown.also, { id: part.memory.id, reason: 'derived from it' }, ...part.also],
    };
  }

  /** Notes what copies of a memory look like. What was derived from one says only a part of it, so only its own words count. */
  #expect(author: string, memory: Memory, { place, reason }: Match): void {
    const note = (key: string, match: Match) => {
      const matches = this.#matches.get(`${author}\n${key}`);
      if (matches === undefined) this.#matches.set(`${author}\n${key}`, [match]);
      else matches.push(match);
    };
    const statement = statementOf(memory.content);
    const isKnown = this.#matches.has(`${author}\nstatement ${statement}`);
    if (statement !== '' && !isKnown) note(`statement ${statement}`, { place, reason });
    if (reason !== 'same statement') return;
    note(`from ${memory.id}`, { place, reason: 'derived from it' });
    const source = onlySourceOf(memory);
    if (source !== undefined) note(`source ${source}`, { place, reason: 'source of it' });
  }
}

function merge(shown: AnyRecalled, copy: Judged, reason: CopyReason): AnyRecalled {
  const isBetter = reason === 'same statement' && isDerived(shown.memory) && !isDerived(copy.memory);
  if (!isBetter) return { ...shown, also: [...shown.also, { id: copy.memory.id, reason }] };
  return { ...shown, memory: copy.memory, also: [{ id: shown.memory.id, reason }, ...shown.also] };
}
