import type { Memory } from '../../ports/memories.js';
import { kindOfMemory } from '../memories/kinds.js';

/** Why two memories are shown as one. */
export type CopyReason = 'same statement' | 'derived from it' | 'source of it';

/** Returns the words of a text without case, punctuation and spacing: equal for two copies of one statement. */
export function statementOf(content: string): string {
  return content
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}

/** Returns the ids of the memories that this one was derived from; empty if it was not. */
export function sourcesOf({ metadata }: Memory): readonly string[] {
  const { evidence } = metadata;
  if (evidence === null || typeof evidence !== 'object' || Array.isArray(evidence)) return [];
  const ids = evidence.message_ids;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}

/** Whether it only repeats what an authored memory says. */
export function isDerived({ kind }: Memory): boolean {
  const known = kindOfMemory(kind);
  return known !== undefined && (known.rebuiltFrom !== null || known.restatesMessages);
}

/** Returns the memory that this one says a part of. A memory that was derived from several says more than each of them. */
export function onlySourceOf(memory: Memory): string | undefined {
  const sources = sourcesOf(memory);
  return sources.length === 1 ? sources[0] : undefined;
}
