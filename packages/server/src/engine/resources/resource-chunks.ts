/** A piece of a file that a user uploaded. */
export const resourceKind = 'resource';

export function resourceSession(userId: string, resourceId: string): string {
  return `resource:${userId}:${resourceId}`;
}

export function resourceUri({ tenantId, userId }: { tenantId: string; userId: string }, resourceId: string): string {
  return `memhall://tenants/${tenantId}/users/${userId}/resources/${resourceId}`;
}

/** The other way round; null: not the session of a resource. */
export function resourceOfSession(sessionId: string | null): string | null {
  return /^resource:.*:(r_[^:]+)$/.exec(sessionId ?? '')?.[1] ?? null;
}
