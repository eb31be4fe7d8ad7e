import { fromTierLabel } from '@memhall/core';
import type { DocumentPlace } from '../ports/document-checkpoints.js';

/** Namespace of the documents that hold the texts of tiers. They belong to the workspace, as if it were a user. */
export const tierNamespace = 'provider';

/** Returns the key of the person that a document is about, or undefined if it is not a text of the tier `peers`. */
export function peerOf({ namespace, path }: DocumentPlace): string | undefined {
  if (namespace !== tierNamespace) return undefined;
  const named = fromTierLabel(path.slice(path.indexOf('/') + 1));
  return named?.tier === 'peers' ? named.key : undefined;
}
