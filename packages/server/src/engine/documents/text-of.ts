import type { Json } from '@memhall/core';

/** The text of an entry of a section: a string, or an object that has one. */
export function textOf(entry: Json): string {
  if (typeof entry === 'string') return entry;
  const isObject = entry !== null && typeof entry === 'object' && !Array.isArray(entry);
  return isObject && typeof entry.text === 'string' ? entry.text : '';
}
