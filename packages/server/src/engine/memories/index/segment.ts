import type { IndexPage, IndexRows, VectorPage } from '../../../ports/memory-index.js';
import type { RowMark } from '../../../ports/memory-marks.js';
import { entryCount, labelCount, unpackTerms } from '../analysis/packed-terms.js';
import { grown, RowVectors } from './row-vectors.js';

const firstCapacity = 64;
/** Removed rows leave holes; when they exceed this share of all rows, the columns are rebuilt. */
const maxHoles = 0.5;

/**
 * The rows of one partition in memory, as columns for ranking. It contains no text, and no memory is ever shown from
 * it: ranking proposes rows, and the memories are then read from the store, where row-level security applies.
 */
export class Segment {
  readonly vectors: RowVectors;
  /** Number of rows including holes: slots 0 … size - 1. */
  size = 0;
  /** 0 for a hole. */
  alive = new Uint8Array(firstCapacity);
  revisions = new Float64Array(firstCapacity);
  seqs = new Float64Array(firstCapacity);
  occurredAt = new Float64Array(firstCapacity);
  expiresAt = new Float64Array(firstCapacity);
  pinned = new Uint8Array(firstCapacity);
  traits = new Int32Array(firstCapacity);
  termCounts = new Int32Array(firstCapacity);
  embedded = new Uint8Array(firstCapacity);
  kinds: string[] = [];
  sessionIds: string[] = [];
  agentIds: string[] = [];
  /** Previous and next slot in the same session, -1 for none. */
  previous = new Int32Array(firstCapacity);
  next = new Int32Array(firstCapacity);
  /** Start and end of a slot's terms in the two columns below. */
  termStarts = new Int32Array(firstCapacity);
  termEnds = new Int32Array(firstCapacity);
  hashes = new Uint32Array(firstCapacity);
  counts = new Uint8Array(firstCapacity);
  /** By revision, of the few rows that have one. */
  readonly marks = new Map<number, RowMark>();
  /** Last revision that was read. */
  upTo = 0;
  /** Grows with every change: slot numbers from before a change may mean other rows after it. */
  generation = 0;

  #count = 0;
  readonly #sessions = new Map<string, number[]>();
  #termSize = 0;

  constructor(dimension: number) {
    this.vectors = new RowVectors(dimension);
    this.vectors.reserve(firstCapacity);
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the text starts with a speaker's name: labels come after all other terms. */
  hasLabel(slot: number): boolean {
    const end = this.termEnds[slot] as number;
    return end > (this.termStarts[slot] as number) && this.counts[end - 1] === labelCount;
  }

  get bytes(): number {
    return this.alive.length * (this.vectors.bytesPerSlot + 120) + this.hashes.length * 5;
  }

  /** Sets vectors that were not loaded. Skips rows that are not there. */
  setVectors({ revisions, vectors }: VectorPage): void {
    const { dimension } = this.vectors;
    for (const [index, revision] of revisions.entries()) {
      const slot = this.slotOf(revision);
      if (slot !== undefined) this.vectors.set(slot, vectors.subarray(index * dimension, (index + 1) * dimension));
    }
  }

  /** A row whose vector is not loaded counts as one that has none. */
  giveUpVector(revision: number): void {
    const slot = this.slotOf(revision);
    if (slot === undefined || this.vectors.loaded[slot] === 1) return;
    this.embedded[slot] = 0;
    this.vectors.giveUp(slot);
  }

  /** Returns what facts say about the row, if anything. */
  markOf(slot: number): RowMark | undefined {
    return this.marks.size === 0 ? undefined : this.marks.get(this.revisions[slot] ?? 0);
  }

  /** Revisions ascend with the slots. */
  slotOf(revision: number): number | undefined {
    const slot = firstFrom(this.revisions, this.size, revision);
    return this.revisions[slot] === revision && this.alive[slot] === 1 ? slot : undefined;
  }

  /** Returns the number of rows with a later revision. */
  countAfter(revision: number): number {
    let count = 0;
    for (let slot = firstFrom(this.revisions, this.size, revision + 1); slot < this.size; slot++)
      count += this.alive[slot] as number;
    return count;
  }

  apply({ rows, removed, upTo }: IndexPage): void {
    const touched = new Set<string>();
    if (rows.count > 0 || removed.length > 0) this.generation += 1;
    for (const revision of removed) this.#remove(revision, touched);
    this.#append(rows, touched);
    for (const mark of rows.marks) if (this.slotOf(mark.revision) !== undefined) this.marks.set(mark.revision, mark);
    for (const session of touched) this.#link(session);
    this.upTo = upTo;
    if (this.size > firstCapacity && this.size - this.count > maxHoles * this.size) this.#compact();
  }

  /** Sets the true neighbours by `seq`, for rows that are only a part of their sessions. */
  setNeighbours(previous: ReadonlyMap<number, number>, next: ReadonlyMap<number, number>): void {
    const slots = new Map<number, number>();
    for (let slot = 0; slot < this.size; slot++) slots.set(this.seqs[slot] ?? 0, slot);
    const slotOf = (seq: number | undefined) => (seq === undefined ? -1 : (slots.get(seq) ?? -1));
    for (const [seq, slot] of slots) {
      this.previous[slot] = slotOf(previous.get(seq));
      this.next[slot] = slotOf(next.get(seq));
    }
  }

  /** Adds rows, whose revisions are greater than those before. */
  #append(rows: IndexRows, touched: Set<string>): void {
    const { size: first } = this;
    const last = first + rows.count;
    this.#reserve(last, this.#termSize + entryCount(rows.terms.length));
    this.alive.fill(1, first, last);
    this.revisions.set(rows.revisions, first);
    this.seqs.set(rows.seqs, first);
    this.occurredAt.set(rows.occurredAt, first);
    this.expiresAt.set(rows.expiresAt, first);
    this.pinned.set(rows.pinned, first);
    this.traits.set(rows.traits, first);
    this.termCounts.set(rows.termCounts, first);
    this.embedded.set(rows.embedded, first);
    this.previous.fill(-1, first, last);
    this.next.fill(-1, first, last);
    unpackTerms(rows.terms, this, this.#termSize);
    this.size = last;
    this.#count += rows.count;
    for (let index = 0, slot = first; index < rows.count; index++, slot++) {
      this.termStarts[slot] = this.#termSize + entryCount(rows.termOffsets[index] as number);
      this.termEnds[slot] = this.#termSize + entryCount(rows.termOffsets[index + 1] as number);
      this.kinds.push(rows.kinds[index] ?? '');
      this.sessionIds.push(rows.sessionIds[index] ?? '');
      this.agentIds.push(rows.agentIds[index] ?? '');
      this.#joinSession(slot, touched);
    }
    this.#termSize += entryCount(rows.terms.length);
    this.vectors.append(rows, first);
  }

  #joinSession(slot: number, touched: Set<string>): void {
    if (this.sessionIds[slot] === '') return;
    const key = this.#sessionKey(slot);
    const members = this.#sessions.get(key);
    if (members === undefined) this.#sessions.set(key, [slot]);
    else members.push(slot);
    touched.add(key);
  }

  /** Turns of a conversation and notes about it have different kinds, so they are not neighbours. */
  #sessionKey(slot: number): string {
    return `${this.kinds[slot]}\n${this.sessionIds[slot]}`;
  }

  #remove(revision: number, touched: Set<string>): void {
    const slot = this.slotOf(revision);
    if (slot === undefined) return;
    this.#count -= 1;
    this.marks.delete(revision);
    this.alive[slot] = 0;
    this.vectors.giveUp(slot);
    if (this.sessionIds[slot] !== '') touched.add(this.#sessionKey(slot));
  }

  /** Orders a session by time, then arrival, and links its rows. */
  #link(session: string): void {
    const members = (this.#sessions.get(session) ?? []).filter((slot) => this.alive[slot] === 1);
    members.sort((a, b) => this.#at(a) - this.#at(b) || (this.seqs[a] ?? 0) - (this.seqs[b] ?? 0));
    for (const [place, slot] of members.entries()) {
      this.previous[slot] = members[place - 1] ?? -1;
      this.next[slot] = members[place + 1] ?? -1;
    }
    if (members.length === 0) this.#sessions.delete(session);
    else this.#sessions.set(session, members);
  }

  #at(slot: number): number {
    return this.occurredAt[slot] ?? 0;
  }

  #reserve(rows: number, terms: number): void {
    if (rows > this.alive.length) {
      const capacity = Math.max(rows, 2 * this.alive.length);
      this.alive = grown(this.alive, new Uint8Array(capacity));
      this.revisions = grown(this.revisions, new Float64Array(capacity));
      this.seqs = grown(this.seqs, new Float64Array(capacity));
      this.occurredAt = grown(this.occurredAt, new Float64Array(capacity));
      this.expiresAt = grown(this.expiresAt, new Float64Array(capacity));
      this.pinned = grown(this.pinned, new Uint8Array(capacity));
      this.traits = grown(this.traits, new Int32Array(capacity));
      this.termCounts = grown(this.termCounts, new Int32Array(capacity));
      this.embedded = grown(this.embedded, new Uint8Array(capacity));
      this.vectors.reserve(capacity);
      this.previous = grown(this.previous, new Int32Array(capacity));
      this.next = grown(this.next, new Int32Array(capacity));
      this.termStarts = grown(this.termStarts, new Int32Array(capacity));
      this.termEnds = grown(this.termEnds, new Int32Array(capacity));
    }
    if (terms > this.hashes.length) {
      const capacity = Math.max(terms, 2 * this.hashes.length);
      this.hashes = grown(this.hashes, new Uint32Array(capacity));
      this.counts = grown(this.counts, new Uint8Array(capacity));
    }
  }

  /** Moves the live rows to the front. Keeps the order, so slots stay ascending by revision. */
  #compact(): void {
    const kept: number[] = [];
    let to = 0;
    let termTo = 0;
    for (let from = 0; from < this.size; from++) {
      if (this.alive[from] === 0) continue;
      for (const column of [this.alive, this.revisions, this.seqs, this.occurredAt, this.expiresAt, this.pinned])
        column[to] = column[from] ?? 0;
      for (const column of [this.traits, this.termCounts, this.embedded]) column[to] = column[from] ?? 0;
      for (const column of [this.kinds, this.sessionIds, this.agentIds]) column[to] = column[from] ?? '';
      kept.push(from);
      const [start, end] = [this.termStarts[from] ?? 0, this.termEnds[from] ?? 0];
      this.hashes.copyWithin(termTo, start, end);
      this.counts.copyWithin(termTo, start, end);
      this.termStarts[to] = termTo;
      termTo += end - start;
      this.termEnds[to] = termTo;
      to += 1;
    }
    this.size = to;
    this.vectors.compact(kept);
    this.#termSize = termTo;
    for (const column of [this.kinds, this.sessionIds, this.agentIds]) column.length = to;
    this.#relink();
  }

  #relink(): void {
    this.#sessions.clear();
    const touched = new Set<string>();
    for (let slot = 0; slot < this.size; slot++) {
      this.previous[slot] = -1;
      this.next[slot] = -1;
      this.#joinSession(slot, touched);
    }
    for (const session of touched) this.#link(session);
  }
}

/** Returns the place of the first of `size` ascending numbers that is not less than `wanted`. */
function firstFrom(numbers: Float64Array, size: number, wanted: number): number {
  let [from, to] = [0, size];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((numbers[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}
