import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Memory } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import { fromTierPath, type TierPlace, tierKind, tierNamespace } from './tier-place.js';

const prefix = 'tier:';

/** Pieces of one text are memories of one session. */
export function sessionOf({ path }: Pick<DocumentPlace, 'path'>): string {
  return `${prefix}${path}`;
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
