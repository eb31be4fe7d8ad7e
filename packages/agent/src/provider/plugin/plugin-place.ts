import { createHash } from 'node:crypto';
import { type Tier, tiers } from '@memhall/core';
import type { Place } from '../check-requests.js';
import type { ProviderOwner } from '../provider.js';

/** Number of namespaces over which a keyed tier is spread. A plugin returns at most a hundred memories per search. */
const shelves = 32;

export interface PluginPlace {
  namespace: string;
  /** Id of the one memory that holds the text. */
  id: string;
}

/** Returns where a plugin stores a text. Derived from owner and label alone, so no lookup is needed. */
export function toPluginPlace(owner: ProviderOwner, { tier, label }: Place): PluginPlace {
  const namespace = namespaceOf(owner, tier, tier === 'daily' || tier === 'peers' ? shelfOf(label) : undefined);
  return { namespace, id: toUuid(`${namespace} ${label}`) };
}

/** Returns every namespace that may hold texts of an owner, in one tier or in all tiers. */
export function namespacesOf(owner: ProviderOwner, wanted: Tier | undefined): string[] {
  const all = (wanted === undefined ? tiers : [wanted]).flatMap((tier) =>
    tier === 'daily' || tier === 'peers'
      ? Array.from({ length: shelves }, (_, shelf) => namespaceOf(owner, tier, shelf))
      : [namespaceOf(owner, tier, undefined)],
  );
  return [...new Set(all)];
}

/**
 * CREW belongs to the crew and the other tiers to the agent. Without an agent they belong to the crew, and without a
 * crew to the workspace.
 */
function namespaceOf({ workspaceId, agentId, crewId }: ProviderOwner, tier: Tier, shelf: number | undefined): string {
  const crew = crewId === undefined ? 'workspace' : `crew ${crewId}`;
  const holder = tier !== 'CREW' && agentId !== undefined ? `agent ${agentId}` : crew;
  const hash = digest(JSON.stringify([workspaceId, holder])).slice(0, 32);
  return `custom:provider.${hash}${shelf === undefined ? '' : `.${tier}.${shelf}`}`;
}

function shelfOf(label: string): number {
  return Number.parseInt(digest(label).slice(0, 8), 16) % shelves;
}

/** Returns a UUID of version 8, whose content is free to choose. */
function toUuid(text: string): string {
  const hex = digest(text);
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
