import type { MemoryNote } from './memory-backend.js';

/** Returns a part of the system prompt. No text can close its block. */
export function toNotePart({ source, text }: MemoryNote): string {
  const inert = text.replace(/<(?=\/?memory_note)/gi, '&lt;');
  return `<memory_note source="${source}">\n${inert}\n</memory_note>`;
}
