import type { Tier } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Memory, MemoryFilter } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import type { NewMemory } from '../memories/new-memory.js';
import { tierNamespace } from '../tier-path.js';
import { fromTierPath, type TierPlace, tierKind } from './tier-place.js';

const prefix = 'tier:';

/** Returns the session of a text. All pieces of a text are memories of the same session. */
export function sessionOf({ path }: Pick<DocumentPlace, 'path'>): string {
  return `${prefix}${path}`;
}

/** The columns that say whose piece it is and of which text. */
export function toPieceColumns(place: TierPlace): Pick<NewMemory, 'agentId' | 'sessionId' | 'tags'> {
  return { agentId: place.owner, sessionId: sessionOf(place), tags: [place.tier] };
}

/** Matches the pieces of the given tiers of each owner. */
export function toPieceFilter(tiersByOwner: ReadonlyMap<string, readonly Tier[]>): MemoryFilter {
  return { kinds: [tierKind], anyOf: [...tiersByOwner].map(([agentId, tags]) => ({ agentId, tags })) };
}

/** Returns the tier that a memory is a piece of, or undefined if it is not a piece of a tier. */
export function placeOfPiece({ kind, sessionId }: Memory): TierPlace | undefined {
  return kind === tierKind ? fromTierPath(sessionId?.slice(prefix.length) ?? '') : undefined;
}

/** Removes the search entries of a removed document. Does nothing if it is not a tier's. Queued. */
export function dropTierIndex(tables: Tables, { userId }: { userId: string }, place: DocumentPlace): void {
  if (place.namespace !== tierNamespace) return;
  tables.memories.deleteSession({ kind: 'user', userId }, sessionOf(place), tierKind);
}
