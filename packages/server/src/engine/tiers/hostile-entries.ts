import { findHostileParts, type HostilePart, splitEntries } from '@memhall/core';
import type { ContentTask } from '../read-long.js';

interface ScreenedText {
  text: string;
  released: readonly string[];
}

/** Returns the entries of a text that must not be shown to a model. */
export function findHostileEntries({ text, released }: ScreenedText): HostilePart[] {
  return findHostileParts(splitEntries(text), released);
}

export const hostileEntriesTask: ContentTask<ScreenedText, HostilePart[]> = {
  module: import.meta.url,
  run: findHostileEntries,
};
