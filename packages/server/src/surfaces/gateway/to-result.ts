import type { Static } from 'typebox';
import type { RecallScope } from '../../engine/conversations/recall-in-scopes.js';
import { resourceKind, resourceOfSession, resourceUri } from '../../engine/resources/resource-chunks.js';
import type { Memory } from '../../ports/memories.js';
import type { Result } from './gateway-schemas.js';

export interface ShownMemory {
  memory: Memory;
  score: number;
  scope: RecallScope;
}

export function toResult(
  owner: { tenantId: string; userId: string },
  { memory, score, scope }: ShownMemory,
): Static<typeof Result> {
  const resourceId = memory.kind === resourceKind ? resourceOfSession(memory.sessionId) : null;
  return {
    id: memory.id,
    session_id: memory.sessionId,
    text: memory.content,
    score,
    source_scope: scope,
    ...(resourceId === null ? {} : { resource_uri: resourceUri(owner, resourceId) }),
    raw: {
      kind: memory.kind,
      role: memory.role,
      sender_id: memory.source,
      app_id: memory.agentId,
      project_id: memory.planId,
      timestamp: memory.occurredAt.getTime(),
      created_at: memory.createdAt.toISOString(),
      metadata: memory.metadata,
    },
  };
}

/** Returns the narrowest scope that contains the memory. Used if it was not found by a search in a scope. */
export function ownScope({ kind, sessionId }: Memory): RecallScope {
  if (kind === resourceKind) return 'resources';
  return sessionId?.startsWith('chat:') ? 'current_chat' : 'all_user_memory';
}
