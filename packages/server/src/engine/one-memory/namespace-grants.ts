import type { NamespaceKind } from '../../ports/memory-plugin.js';
import type { Caller } from '../caller.js';
import { nameOf } from '../namespace-names.js';

/** The memberships that a token claims for its holder. */
export interface NamespaceClaims {
  workspaceId: string | null;
  teamIds: readonly string[];
  orgId: string | null;
  /** The agent and crew in whose name notes are taken. */
  agentId: string | null;
  crewId: string | null;
  /** Granted by name, read-only. */
  namespaces: readonly string[];
  /** Whether it may write to the namespace that the whole organisation reads. */
  isOrgRoot: boolean;
}

/** The claims of a caller without a token. */
export const noClaims: NamespaceClaims = {
  workspaceId: null,
  teamIds: [],
  orgId: null,
  agentId: null,
  crewId: null,
  namespaces: [],
  isOrgRoot: false,
};

export interface NamespaceGrant {
  name: string;
  kind: NamespaceKind;
  isWritable: boolean;
}

/** Returns the namespaces a caller may read, its own workspace first. */
export function grantsOf(caller: Caller, claims: NamespaceClaims): NamespaceGrant[] {
  const { workspaceId, teamIds, orgId, namespaces, isOrgRoot } = claims;
  const mayWriteOrg = isOrgRoot || caller.actor.roles.includes('admin');
  const grants: NamespaceGrant[] = [
    { name: nameOf('workspace', workspaceId ?? caller.userId), kind: 'workspace', isWritable: true },
    ...teamIds.map((id) => ({ name: nameOf('team', id), kind: 'team', isWritable: true }) as const),
    ...(orgId === null ? [] : [{ name: nameOf('org', orgId), kind: 'org', isWritable: mayWriteOrg } as const]),
  ];
  const own = new Set(grants.map(({ name }) => name));
  const granted = [...new Set(namespaces)].filter((name) => !own.has(name));
  return [...grants, ...granted.map((name) => ({ name, kind: 'custom', isWritable: false }) as const)];
}

/** Returns the owners of the tiers a caller reads and writes: its workspace, and the agent and crew its token names. */
export function tiersOf(caller: Caller, { workspaceId, agentId, crewId }: NamespaceClaims) {
  return {
    workspaceId: workspaceId ?? caller.userId,
    agentId: agentId ?? undefined,
    crewId: crewId ?? undefined,
  };
}

/** Returns whether the whole organisation reads this namespace. */
export function isOrgNamespace(name: string): boolean {
  return name.startsWith('org:');
}
