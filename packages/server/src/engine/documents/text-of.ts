import type { Json } from '@memhall/core';

/** Returns the text of a section's entry: the entry itself if it is a string, else its `text`; empty if it has none. */
export function textOf(entry: Json): string {
  if (typeof entry === 'string') return entry;
  const isObject = entry !== null && typeof entry === 'object' && !Array.isArray(entry);
  return isObject && typeof entry.text === 'string' ? entry.text : '';
}
