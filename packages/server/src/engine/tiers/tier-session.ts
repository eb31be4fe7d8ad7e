import type { Tier } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Memory, MemoryFilter } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import type { Engine } from '../engine.js';
import { tellRemoved } from '../memories/memory-watcher.js';
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

/**
 * Removes the search entries of a removed document, with what was based on them. Does nothing if it is not a tier's. Returns the
 * mutations to record.
 */
export async function dropTierIndex(
  engine: Pick<Engine, 'memoryWatchers'>,
  tables: Tables,
  { userId }: { userId: string },
  place: DocumentPlace,
  now: Date,
): Promise<Mutation[]> {
  if (place.namespace !== tierNamespace) return [];
  const ids = await tables.memories.deleteSession({ kind: 'user', userId }, sessionOf(place), tierKind);
  return tellRemoved(engine, tables, ids, now);
}
