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

/** What a model needs to know about a chunk to understand it. */
interface Caption {
  /** Title of the file, else its name; null if neither was stored. */
  title: string | null;
  /** Headings above the chunk, outermost first, one per line; for a table, the names of its columns. */
  heading: string | null;
}

/** Returns null if the memory is not a chunk. */
export function captionOf({ kind, cue, metadata }: Memory): Caption | null {
  if (kind !== resourceKind) return null;
  const title = textOrNull(metadata.title);
  const isTitled = title !== null && (cue === title || cue?.startsWith(`${title}\n`) === true);
  const heading = isTitled ? cue?.slice(title.length + 1) : cue;
  return { title: title ?? textOrNull(metadata.file_name), heading: textOrNull(heading) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
