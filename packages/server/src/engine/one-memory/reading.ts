import { type Memory, type MemoryFilter, type Partition, partitionKey } from '../../ports/memories.js';
import { workspaceOwner } from '../../ports/owners.js';
import type { Caller } from '../caller.js';
import type { MemoryScope } from '../memories/scope-partitions.js';
import type { Member } from './member.js';

/**
 * own: what the user owns, and what the user wrote in the workspace. shared: what others wrote in the workspace, and the other
 * namespaces the caller may read. public: the tenant's public knowledge.
 */
export const readScopes = ['own', 'shared', 'public'] as const;
export type ReadScope = (typeof readScopes)[number];

export interface Wanted {
  scopes?: readonly ReadScope[] | undefined;
  /** If given, no other namespaces. Those the caller may not read are left out. */
  namespaces?: readonly string[] | undefined;
  /** Search namespaces alone. Default: if they are given. */
  onlyNamespaces?: boolean | undefined;
  /** Read the notes of the workspace by all authors, even if only what the user wrote is asked for. */
  allNotes?: boolean | undefined;
}

/** What a query sees. No other place decides what a caller may read; the database enforces it with the reader's settings. */
export interface Reading {
  /** The caller with the workspace and the namespaces it reads. */
  reader: Caller;
  scope: MemoryScope;
  /** By `partitionKey`. */
  partitionFilters: ReadonlyMap<string, MemoryFilter>;
}

export function readingOf(member: Member, wanted: Wanted = {}): Reading {
  const { scopes = readScopes, namespaces, onlyNamespaces = namespaces !== undefined, allNotes = false } = wanted;
  const [own, shared] = [scopes.includes('own'), scopes.includes('shared')];
  const [workspace, ...others] = member.grants.map(({ name }) => name);
  const readable = [...(workspace !== undefined && (own || shared) ? [workspace] : []), ...(shared ? others : [])];
  const searched = namespaces === undefined ? readable : readable.filter((name) => namespaces.includes(name));
  const { workspaceId, agentId, crewId } = member.tiers;
  const { byAuthor, byOwner } = toOwnFilters(member, { own, shared });
  const owners = [
    ...(agentId === undefined ? [] : [`agent:${agentId}`]),
    ...(crewId === undefined ? [] : [`crew:${crewId}`]),
  ];
  const noteOwners = owners.length === 0 ? undefined : owners;
  const notes = { ...(allNotes ? {} : byAuthor), agentIds: noteOwners };
  return {
    reader: { ...member, workspaceId, noteOwners, namespaces: readable },
    scope: {
      own: !onlyNamespaces && own,
      workspace: !onlyNamespaces && (own || shared),
      public: !onlyNamespaces && scopes.includes('public'),
      namespaces: searched,
    },
    partitionFilters: new Map([
      [partitionKey(notesOf(workspaceId)), notes],
      ...(workspace === undefined ? [] : [[`n:${workspace}`, byOwner] as const]),
    ]),
  };
}

/**
 * Returns whether the memory counts as the user's own: owned by the user, also in the namespace of the workspace, where a service may
 * have written it for the user; or a note that the user wrote in the workspace.
 */
export function isOwn(
  { userId, tiers, grants }: Member,
  { partition, author, userId: owner }: Pick<Memory, 'partition' | 'author' | 'userId'>,
): boolean {
  if (partition.kind === 'public') return false;
  if (partition.kind === 'namespace')
    return partition.name === grants[0]?.name && ownersOf(userId, tiers).includes(owner);
  return partition.userId === userId || (partition.userId === workspaceOwner(tiers.workspaceId) && author === userId);
}

/** Returns whether the caller reads the memory: agents and crews see only their own notes of a workspace. */
export function isReadable(member: Member, memory: Memory): boolean {
  const filter = readingOf(member).partitionFilters.get(partitionKey(memory.partition));
  return filter?.agentIds === undefined || filter.agentIds.includes(memory.agentId ?? '');
}

function notesOf(workspaceId: string): Partition {
  return { kind: 'user', userId: workspaceOwner(workspaceId) };
}

/**
 * Returns the owners of what counts as the user's in the namespace of the workspace. What nobody in particular wrote into the
 * workspace named after the user, through the plugin listener, is the user's.
 */
function ownersOf(userId: string, { workspaceId }: Member['tiers']): string[] {
  return workspaceId === userId ? [userId, ''] : [userId];
}

/** Notes belong to the workspace, so only their author tells whose they are. */
function toOwnFilters(
  { userId, tiers }: Member,
  { own, shared }: { own: boolean; shared: boolean },
): { byAuthor: MemoryFilter; byOwner: MemoryFilter } {
  if (own === shared) return { byAuthor: {}, byOwner: {} };
  const userIds = ownersOf(userId, tiers);
  if (own) return { byAuthor: { author: userId }, byOwner: { userIds } };
  return { byAuthor: { notAuthor: userId }, byOwner: { notUserIds: userIds } };
}
