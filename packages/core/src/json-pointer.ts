import type { Json } from './json.js';
import { Problem } from './problem.js';

const badEscape = /~(?![01])/;
const indexExpression = /^(?:0|[1-9]\d*)$/;

/** Whether a text is a JSON Pointer (RFC 6901): empty, or segments each led by `/`, with `~` only in `~0` and `~1`. */
export function isPointer(text: string): boolean {
  return (text === '' || text.startsWith('/')) && !badEscape.test(text);
}

/** The segments of a JSON Pointer, unescaped; none for the whole document. Problem INVALID_REQUEST if it is not one. */
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

/** Whether `prefix` leads to `segments` or to something around it. Whole segments count: /a is no prefix of /ab. */
export function startsWithSegments(prefix: readonly string[], segments: readonly string[]): boolean {
  return prefix.length <= segments.length && prefix.every((segment, at) => segment === segments[at]);
}

/** The array index that a segment spells, or undefined: digits only, without leading zeros. */
export function toArrayIndex(segment: string): number | undefined {
  return indexExpression.test(segment) ? Number(segment) : undefined;
}

/** An element or own member, or undefined. Inherited names such as `constructor` are not members. */
export function getChild(parent: Json, segment: string): Json | undefined {
  if (parent === null || typeof parent !== 'object') return undefined;
  if (!Array.isArray(parent)) return Object.hasOwn(parent, segment) ? parent[segment] : undefined;
  const index = toArrayIndex(segment);
  return index === undefined ? undefined : parent[index];
}

/** What the segments lead to in a document, or undefined. */
export function getAt(document: Json, segments: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const segment of segments) {
    if (value === undefined) return undefined;
    value = getChild(value, segment);
  }
  return value;
}
