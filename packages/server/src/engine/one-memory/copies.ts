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

/** Returns why `other` is a copy of `shown`, or undefined if it is a statement of its own. Both are by the same author. */
export function copyReason(shown: Memory, other: Memory): CopyReason | undefined {
  const statement = statementOf(shown.content);
  if (statement !== '' && statement === statementOf(other.content)) return 'same statement';
  if (isOnlySource(shown, other)) return 'derived from it';
  return isOnlySource(other, shown) ? 'source of it' : undefined;
}

/** A memory that was derived from several others says more than each of them. */
function isOnlySource(source: Memory, derived: Memory): boolean {
  const sources = sourcesOf(derived);
  return sources.length === 1 && sources[0] === source.id;
}
