import type { Json } from '@memhall/core';
import { wordsOf } from './words-of.js';

/** Structures inside an element below this depth are left out. */
const maxDepth = 8;

/**
 * Last words of the names of members that serve programs: references, proofs and times of bookkeeping. People do not
 * look for them, and their values resemble each other.
 */
const bookkeeping = new Set('id ids uuid uri uris etag hash checksum evidence confidence timestamp at'.split(' '));

/** Returns whether a member is bookkeeping by its name: `project_id`, `messageIds`, `last_verified_at`, `evidence`. */
export function isBookkeeping(name: string): boolean {
  return name === 'stale_after' || bookkeeping.has(wordsOf(name).at(-1) ?? '');
}

/**
 * Returns the text of an element of a list: a string as it is, the members of an object with their names ("name: Ada, role:
 * nurse"). A member called `text`, or the only one, stands without its name. Empty if it has no text. `isDenied` is asked about
 * each member, by its segments within the element.
 */
export function elementText(element: Json, isDenied: (segments: readonly string[]) => boolean): string {
  return textAt(element, [], isDenied);
}

function textAt(value: Json, segments: readonly string[], isDenied: (segments: readonly string[]) => boolean): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number') return String(value);
  if (value === null || typeof value !== 'object' || segments.length === maxDepth) return '';
  const parts = Object.entries(value).flatMap(([name, member]) => {
    const place = [...segments, name];
    if (isDenied(place) || (!Array.isArray(value) && isBookkeeping(name))) return [];
    const text = textAt(member, place, isDenied);
    return text === '' ? [] : [{ name, text, isComposite: typeof member === 'object' }];
  });
  if (Array.isArray(value)) return parts.map(({ text }) => text).join(', ');
  if (parts.length === 1) return parts[0]?.text ?? '';
  parts.sort((one, other) => Number(other.name === 'text') - Number(one.name === 'text'));
  const separator = parts.some(({ isComposite }) => isComposite) ? '; ' : ', ';
  return parts
    .map(({ name, text }) => (name === 'text' ? text : `${wordsOf(name).join(' ')}: ${text}`))
    .join(separator);
}
