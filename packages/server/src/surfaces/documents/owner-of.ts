import type { Caller } from '../../engine/caller.js';
import { asOwnerOf } from '../../engine/tier-path.js';
import { checkWorkspace } from '../../http/permission.js';
import type { RouteRequest } from '../../http/route.js';

/**
 * Returns the caller in the place of who owns the documents of a namespace. The texts of tiers belong to the workspace that the
 * path names in the place of a user. Throws FORBIDDEN if the token may not use that workspace.
 */
export function ownerOf(
  { caller, identity }: Pick<RouteRequest, 'caller' | 'identity'>,
  place: { namespace?: string },
): Caller {
  const owner = asOwnerOf(caller, place, caller.userId);
  if (owner !== caller && identity !== undefined) checkWorkspace(identity, caller.userId);
  return owner;
}
