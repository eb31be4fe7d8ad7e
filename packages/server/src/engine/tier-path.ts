import { fromTierLabel } from '@memhall/core';
import type { DocumentPlace } from '../ports/document-checkpoints.js';
import { workspaceOwner } from '../ports/owners.js';
import type { Caller } from './caller.js';

/** Namespace of the documents that hold the texts of tiers. They belong to the workspace. */
export const tierNamespace = 'provider';

/** Returns the caller in the place of a workspace, as the owner of what it reads and writes. */
export function inWorkspace<C extends Caller>(caller: C, workspaceId: string): C {
  return { ...caller, userId: workspaceOwner(workspaceId) };
}

/** Returns the caller in the place of who owns the documents of a namespace: the workspace those of tiers, else the user. */
export function asOwnerOf<C extends Caller>(
  caller: C,
  { namespace }: { namespace?: string | undefined },
  workspaceId: string,
): C {
  return namespace === tierNamespace ? inWorkspace(caller, workspaceId) : caller;
}

/** Returns the key of the person that a document is about, or undefined if it is not a text of the tier `peers`. */
export function peerOf({ namespace, path }: DocumentPlace): string | undefined {
  if (namespace !== tierNamespace) return undefined;
  const named = fromTierLabel(path.slice(path.indexOf('/') + 1));
  return named?.tier === 'peers' ? named.key : undefined;
}

/** Returns the key of the tier `peers` that belongs to a user: ids may contain @ and :, keys may not. */
export function peerKeyOf(userId: string): string {
  return userId.replace(/[@:]/g, '-');
}
