import type { Memory } from '../../ports/memories.js';
import type { Resource } from '../../ports/resources.js';
import type { Mutation } from '../audit/audit-record.js';
import type { MemoryKind } from '../memories/kinds.js';

/** Kind of the memories that are pieces of an uploaded file. */
export const resourceKind = 'resource' satisfies MemoryKind;

export function resourceSession(userId: string, resourceId: string): string {
  return `resource:${userId}:${resourceId}`;
}

export function resourceUri({ tenantId, userId }: { tenantId: string; userId: string }, resourceId: string): string {
  return `memhall://tenants/${tenantId}/users/${userId}/resources/${resourceId}`;
}

/** Returns a resource's name in the audit log. */
export function resourceTarget(resourceId: string): string {
  return `resource/${resourceId}`;
}

export function toResourceMutation({ resourceId, contentHash, chunks, mediaType }: Resource): Mutation {
  const details = { chunks, media_type: mediaType };
  return { target: resourceTarget(resourceId), preEtag: null, postEtag: null, contentHash, details };
}

/** Returns the id of the resource that a memory is a chunk of, or null if it is not a chunk. */
export function resourceOf({ kind, sessionId }: Memory): string | null {
  if (kind !== resourceKind) return null;
  return /^resource:.*:(r_[^:]+)$/.exec(sessionId ?? '')?.[1] ?? null;
}
