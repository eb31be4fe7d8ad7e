import { createHash } from 'node:crypto';
import { maxNamespaceLength, type NamespaceKind, namespacePattern } from '../../ports/memory-plugin.js';
import type { Caller } from '../caller.js';

/** What a token says about where its holder belongs. */
export interface NamespaceClaims {
  workspaceId: string | null;
  teamId: string | null;
  orgId: string | null;
  /** As which agent, and of which crew, it takes notes. */
  agentId: string | null;
  crewId: string | null;
  /** Granted by name, to be read. */
  namespaces: readonly string[];
  /** Whether it may write what the whole organisation reads. */
  isOrgRoot: boolean;
}

/** Of who comes without a token. */
export const noClaims: NamespaceClaims = {
  workspaceId: null,
  teamId: null,
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

const nameExpression = new RegExp(namespacePattern);
const readablePartLength = 64;

export function isNamespaceName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxNamespaceLength && nameExpression.test(value);
}

/** The namespaces a caller may read, the one of its own work first. */
export function grantsOf(caller: Caller, claims: NamespaceClaims): NamespaceGrant[] {
  const { workspaceId, teamId, orgId, namespaces, isOrgRoot } = claims;
  const mayWriteOrg = isOrgRoot || caller.actor.roles.includes('admin');
  const grants: NamespaceGrant[] = [
    { name: nameOf('workspace', workspaceId ?? caller.userId), kind: 'workspace', isWritable: true },
    ...(teamId === null ? [] : [{ name: nameOf('team', teamId), kind: 'team', isWritable: true } as const]),
    ...(orgId === null ? [] : [{ name: nameOf('org', orgId), kind: 'org', isWritable: mayWriteOrg } as const]),
  ];
  const own = new Set(grants.map(({ name }) => name));
  const granted = [...new Set(namespaces)].filter((name) => !own.has(name));
  return [...grants, ...granted.map((name) => ({ name, kind: 'custom', isWritable: false }) as const)];
}

/** Whose tiers a caller reads and writes: its workspace, unless its token names agent or crew. */
export function tiersOf(caller: Caller, { workspaceId, agentId, crewId }: NamespaceClaims) {
  return {
    workspaceId: workspaceId ?? caller.userId,
    agentId: agentId ?? undefined,
    crewId: crewId ?? undefined,
  };
}

/**
 * Ids may hold an `@`, names of namespaces may not. Such an id is named by its digest, in a name that is longer than any id
 * can be: it is nobody else's.
 */
function nameOf(kind: NamespaceKind, id: string): string {
  const name = `${kind}:${id}`;
  if (isNamespaceName(name)) return name;
  const readable = id.replaceAll('@', '.').slice(0, readablePartLength);
  return `${kind}:${readable}:${createHash('sha512').update(id).digest('hex')}`;
}

/** Whose words everybody reads. */
export function isOrgNamespace(name: string): boolean {
  return name.startsWith('org:');
}
