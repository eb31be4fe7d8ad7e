import type { Tier } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Memory, MemoryFilter } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import type { NewMemory } from '../memories/new-memory.js';
import { fromTierPath, type TierPlace, tierKind, tierNamespace } from './tier-place.js';

const prefix = 'tier:';

/** Pieces of one text are memories of one session. */
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

/** Where a memory is a piece of; undefined: it is none of a tier. */
export function placeOfPiece({ kind, sessionId }: Memory): TierPlace | undefined {
  return kind === tierKind ? fromTierPath(sessionId?.slice(prefix.length) ?? '') : undefined;
}

/** Removes what recall finds of a document that is gone; of those that are no tier's there is nothing. Queued. */
export function dropTierIndex(tables: Tables, { userId }: { userId: string }, place: DocumentPlace): void {
  if (place.namespace !== tierNamespace) return;
  tables.memories.deleteSession({ kind: 'user', userId }, sessionOf(place), tierKind);
}
