import type { Memory } from '../../ports/memories.js';
import type { GivenOrigin } from '../memories/origin-of-write.js';
import { toOrigin } from '../memories/origin-of-write.js';
import { lowestTrust } from '../trust.js';

/**
 * Returns what is known about the origin of a piece of a text that has changed. A piece that only moved keeps its origin. Any
 * other is the writer's, with the lowest trust of the former pieces that it has lines of.
 */
export function originOfPiece(content: string, before: readonly Memory[]): GivenOrigin {
  const moved = before.find((piece) => piece.content === content);
  if (moved !== undefined) return { derivedFrom: toOrigin(moved) };
  const lines = linesOf(content);
  const [first, ...others] = before
    .filter((piece) => [...linesOf(piece.content)].some((line) => lines.has(line)))
    .map(({ trust }) => trust);
  return first === undefined ? {} : { trust: lowestTrust(first, ...others) };
}

function linesOf(text: string): Set<string> {
  return new Set(text.split('\n').filter((line) => /\S/u.test(line)));
}
