import { type Member, toMember } from '../../engine/one-memory/member.js';
import type { RouteRequest } from '../../http/route.js';

/** Returns the caller of a guarded route with what its token lets it share with others. */
export function memberOf({ caller, identity }: Pick<RouteRequest, 'caller' | 'identity'>): Member {
  if (identity === undefined) throw new Error('a guarded route without an identity');
  return toMember(caller, identity.claims);
}
