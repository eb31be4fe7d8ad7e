import { findKeyFault, fromTierLabel, Problem, type Tier, toTierLabel } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { MemoryKind } from '../memories/kinds.js';

/** Of the documents that hold the texts of tiers. They belong to the workspace, as if it were a user. */
export const tierNamespace = 'provider';
/** Pieces of those texts, as recall finds them. */
export const tierKind = 'tier' satisfies MemoryKind;

/** Whose tiers, within the workspace. */
export interface TierOwners {
  agentId?: string | undefined;
  crewId?: string | undefined;
}

/** Where the text of a tier is kept. */
export interface TierPlace extends DocumentPlace {
  tier: Tier;
  /** `agent:…`, `crew:…` or `workspace`. */
  owner: string;
  /** What it is called within its owner. */
  label: string;
}

/** CREW is the crew's and all else the agent's; what is nobody's is shared by the workspace. */
export function ownerOf(tier: Tier, { agentId, crewId }: TierOwners): string {
  if (tier !== 'CREW' && agentId !== undefined) return `agent:${agentId}`;
  return crewId === undefined ? 'workspace' : `crew:${crewId}`;
}

/** Throws INVALID_REQUEST when the key is not one of the tier. */
export function toTierPlace(tier: Tier, key: string | undefined, owners: TierOwners): TierPlace {
  const fault = findKeyFault(tier, key);
  if (fault !== undefined) throw new Problem('INVALID_REQUEST', `"key" ${fault}.`, { details: { tier } });
  const owner = ownerOf(tier, owners);
  const label = toTierLabel(tier, key);
  return { namespace: tierNamespace, path: `${owner}/${label}`, tier, owner, label };
}

/** undefined: no tier has a text of this name. Throws INVALID_REQUEST for what looks like a way out of the workspace. */
export function fromLabel(label: string, owners: TierOwners): TierPlace | undefined {
  if (/^\/|\\|\.\.|\p{Cc}/u.test(label)) {
    throw new Problem('INVALID_REQUEST', '"id" must be a label such as AGENT.md or daily/2026-05-21.md.');
  }
  const named = fromTierLabel(label);
  return named && toTierPlace(named.tier, named.key, owners);
}

/** Of a document in the namespace of tiers; undefined: it is none of them. */
export function fromTierPath(path: string): TierPlace | undefined {
  const slash = path.indexOf('/');
  const [owner, label] = [path.slice(0, slash), path.slice(slash + 1)];
  const named = slash < 0 ? undefined : fromTierLabel(label);
  return named && { namespace: tierNamespace, path, tier: named.tier, owner, label };
}
