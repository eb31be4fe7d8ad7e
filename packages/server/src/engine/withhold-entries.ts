import { findHostileParts, type HostilePart, type Json, replaceParts, splitEntries } from '@memhall/core';
import type { ContentTask } from './read-long.js';
import { textsOf } from './texts-of.js';

interface ShownContent {
  content: { [key: string]: Json };
  withheld: readonly HostilePart[];
  /** True if nothing may be shown: no text is left, or what is left is hostile still. */
  isBlocked: boolean;
}

/**
 * Replaces the hostile entries in the texts of a document with placeholders. List positions stay the same. A member whose name is
 * hostile is left out. Texts that are hostile only together are all withheld.
 */
export function withholdEntries(content: { [key: string]: Json }, released: readonly string[]): ShownContent {
  const texts = [...textsOf(content)];
  const entries = texts.map(splitEntries);
  const withheld = findHostileParts(entries.flat(), released);
  if (withheld.length === 0) return { content, withheld, isBlocked: false };
  let start = 0;
  const shown = entries.map((own): string | undefined => {
    const within = withheld.flatMap((part) => clip(part, start, own.length));
    start += own.length;
    if (within.length === 0) return undefined;
    return replaceParts(own, within, ({ category }) => `[BLOCKED: ${category}]`).join('\n');
  });
  const rebuilt = new Rebuilt(shown);
  const left = rebuilt.object(content);
  // Without a member, its neighbours are side by side.
  const isHostile = findHostileParts([...textsOf(left)].flatMap(splitEntries), released).length > 0;
  return { content: left, withheld, isBlocked: isHostile || !rebuilt.hasText };
}

interface DocumentTexts {
  content: { [key: string]: Json };
  released: readonly string[];
}

export function withholdFrom({ content, released }: DocumentTexts): ShownContent {
  return withholdEntries(content, released);
}

export const withholdTask: ContentTask<DocumentTexts, ShownContent> = { module: import.meta.url, run: withholdFrom };

/** Returns the part within the `count` entries that begin at `start`; empty if it is elsewhere. */
function clip(part: HostilePart, start: number, count: number): HostilePart[] {
  const [from, to] = [Math.max(part.from - start, 0), Math.min(part.to - start, count)];
  return from < to ? [{ ...part, from, to }] : [];
}

/** Copies a document, with some of its texts replaced. Visits texts in the same order as `textsOf`. */
class Rebuilt {
  /** True if a text was copied without changes, or with some of its entries. */
  hasText = false;
  readonly #shown: readonly (string | undefined)[];
  #next = 0;

  constructor(shown: readonly (string | undefined)[]) {
    this.#shown = shown;
  }

  object(value: { [key: string]: Json }, isLeftOut = false): { [key: string]: Json } {
    const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
      const isHostile = this.#shown[this.#next++] !== undefined;
      const copied = this.#value(member, isLeftOut || isHostile);
      return isHostile ? [] : [[name, copied]];
    });
    return Object.fromEntries(members);
  }

  #value(value: Json, isLeftOut: boolean): Json {
    if (typeof value === 'string') {
      const shown = this.#shown[this.#next++] ?? value;
      if (!isLeftOut && shown.replace(/^\[BLOCKED: \w+\]$/gm, '').trim() !== '') this.hasText = true;
      return shown;
    }
    if (Array.isArray(value)) return value.map((member) => this.#value(member, isLeftOut));
    return value !== null && typeof value === 'object' ? this.object(value, isLeftOut) : value;
  }
}
