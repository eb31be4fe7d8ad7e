import type { Caller } from '../caller.js';
import type { TierOwners } from '../tiers/tier-place.js';
import { grantsOf, type NamespaceClaims, type NamespaceGrant, tiersOf } from './namespace-grants.js';

/** A caller with what it shares with others: namespaces, and the notes of its workspace. */
export interface Member extends Caller {
  /** The namespaces it may read, its own workspace first. */
  grants: readonly NamespaceGrant[];
  /** The owners of the notes it reads and writes. */
  tiers: TierOwners & { workspaceId: string };
}

export function toMember(caller: Caller, claims: NamespaceClaims): Member {
  return { ...caller, grants: grantsOf(caller, claims), tiers: tiersOf(caller, claims) };
}
