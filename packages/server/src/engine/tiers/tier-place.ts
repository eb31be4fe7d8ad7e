import { findKeyFault, fromTierLabel, Problem, type Tier, toTierLabel } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { MemoryKind } from '../memories/kinds.js';
import { tierNamespace } from '../tier-path.js';

/** Kind of the memories that are pieces of those texts. */
export const tierKind = 'tier' satisfies MemoryKind;

/** The owners of tiers within a workspace. */
export interface TierOwners {
  agentId?: string | undefined;
  crewId?: string | undefined;
}

/** Where the text of a tier is stored. */
export interface TierPlace extends DocumentPlace {
  tier: Tier;
  /** `agent:…`, `crew:…` or `workspace`. */
  owner: string;
  /** Its name within its owner. */
  label: string;
}

/**
 * CREW belongs to the crew. Any other tier belongs to the agent, or to the crew if there is no agent. A tier without an owner is
 * shared by the workspace.
 */
export function ownerOf(tier: Tier, { agentId, crewId }: TierOwners): string {
  if (tier !== 'CREW' && agentId !== undefined) return `agent:${agentId}`;
  return crewId === undefined ? 'workspace' : `crew:${crewId}`;
}

/** Throws INVALID_REQUEST if the key is not valid for the tier. */
export function toTierPlace(tier: Tier, key: string | undefined, owners: TierOwners): TierPlace {
  const fault = findKeyFault(tier, key);
  if (fault !== undefined) throw new Problem('INVALID_REQUEST', `"key" ${fault}.`, { details: { tier } });
  const owner = ownerOf(tier, owners);
  const label = toTierLabel(tier, key);
  return { namespace: tierNamespace, path: `${owner}/${label}`, tier, owner, label };
}

/** Returns undefined if the label is not a tier's. Throws INVALID_REQUEST if it looks like a path out of the workspace. */
export function fromLabel(label: string, owners: TierOwners): TierPlace | undefined {
  if (/^\/|\\|\.\.|\p{Cc}/u.test(label)) {
    throw new Problem('INVALID_REQUEST', '"id" must be a label such as AGENT.md or daily/2026-05-21.md.');
  }
  const named = fromTierLabel(label);
  return named && toTierPlace(named.tier, named.key, owners);
}

/** Parses the path of a document in the namespace of tiers. Returns undefined if it is not a tier's. */
export function fromTierPath(path: string): TierPlace | undefined {
  const slash = path.indexOf('/');
  const [owner, label] = [path.slice(0, slash), path.slice(slash + 1)];
  const named = slash < 0 ? undefined : fromTierLabel(label);
  return named && { namespace: tierNamespace, path, tier: named.tier, owner, label };
}
