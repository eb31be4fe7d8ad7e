import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Memory } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import { fromTierPath, type TierPlace, tierKind, tierNamespace } from './tier-place.js';

const prefix = 'tier:';

/** Returns the session of a text. All pieces of a text are memories of the same session. */
export function sessionOf({ path }: Pick<DocumentPlace, 'path'>): string {
  return `${prefix}${path}`;
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
