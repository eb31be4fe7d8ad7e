import type { Memory } from '../../ports/memories.js';
import type { Trust } from '../../ports/memory-origin.js';
import type { GivenOrigin } from '../memories/origin-of-write.js';
import { toOrigin } from '../memories/origin-of-write.js';
import { isLower } from '../trust.js';

/**
 * Says what is known about the origin of each piece of a text that has changed, given the pieces it had before. A piece that only moved
 * keeps its origin. Any other is the writer's, with the lowest trust of the former pieces that it has lines of.
 *
 * Former pieces are looked up by their lines, because comparing all new pieces with all former ones takes seconds for long texts.
 */
export class PieceOrigins {
  readonly #byContent = new Map<string, Memory>();
  /** The piece with the lowest trust of those that have the line, as its place among all by trust. */
  readonly #byLine = new Map<string, number>();
  readonly #byTrust: readonly Memory[];

  constructor(before: readonly Memory[]) {
    for (const piece of before.toReversed()) this.#byContent.set(piece.content, piece);
    this.#byTrust = before.toSorted((one, other) => compareTrust(one.trust, other.trust));
    for (const [place, { content }] of this.#byTrust.entries()) {
      for (const line of linesOf(content)) if (!this.#byLine.has(line)) this.#byLine.set(line, place);
    }
  }

  of(content: string): GivenOrigin {
    const moved = this.#byContent.get(content);
    if (moved !== undefined) return { derivedFrom: toOrigin(moved) };
    const places = linesOf(content).flatMap((line) => this.#byLine.get(line) ?? []);
    const lowest = this.#byTrust[Math.min(...places)];
    return lowest === undefined ? {} : { trust: lowest.trust };
  }
}

function compareTrust(one: Trust, other: Trust): number {
  return Number(isLower(other, one)) - Number(isLower(one, other));
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => /\S/u.test(line));
}
