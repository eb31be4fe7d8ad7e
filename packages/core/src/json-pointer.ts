import type { Json } from './json.js';
import { Problem } from './problem.js';

const badEscape = /~(?![01])/;
const indexExpression = /^(?:0|[1-9]\d*)$/;

/** Returns whether text is a JSON Pointer (RFC 6901): empty or starting with `/`, with `~` only in `~0` and `~1`. */
export function isPointer(text: string): boolean {
  return (text === '' || text.startsWith('/')) && !badEscape.test(text);
}

/**
 * Returns the unescaped segments of a JSON Pointer; the pointer to the whole document has none.
 * Throws Problem INVALID_REQUEST if the text is not a JSON Pointer.
 */
export function parsePointer(text: string): string[] {
  if (!isPointer(text)) {
    const message = `${JSON.stringify(text)} is not a JSON Pointer: it must be empty or start with "/", and "~" must be written "~0".`;
    throw new Problem('INVALID_REQUEST', message, { details: { pointer: text } });
  }
  // ~1 first: ~01 means ~1, not a slash.
  return text
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function formatPointer(segments: readonly string[]): string {
  return segments.map((segment) => `/${escapeSegment(segment)}`).join('');
}

export function escapeSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * Returns whether `prefix` equals `segments` or an ancestor of it. Compares whole segments: /a is not a prefix of /ab.
 */
export function startsWithSegments(prefix: readonly string[], segments: readonly string[]): boolean {
  return prefix.length <= segments.length && prefix.every((segment, at) => segment === segments[at]);
}

/** Returns the array index in a segment, or undefined unless it is all digits without leading zeros. */
export function toArrayIndex(segment: string): number | undefined {
  return indexExpression.test(segment) ? Number(segment) : undefined;
}

/** Returns an element or own member, or undefined. Inherited names such as `constructor` are not members. */
export function getChild(parent: Json, segment: string): Json | undefined {
  if (parent === null || typeof parent !== 'object') return undefined;
  if (!Array.isArray(parent)) return Object.hasOwn(parent, segment) ? parent[segment] : undefined;
  const index = toArrayIndex(segment);
  return index === undefined ? undefined : parent[index];
}

/** Returns the value at the segments in a document, or undefined. */
export function getAt(document: Json, segments: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const segment of segments) {
    if (value === undefined) return undefined;
    value = getChild(value, segment);
  }
  return value;
}
