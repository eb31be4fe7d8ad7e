import type { Static } from 'typebox';
import { chatOf } from '../../engine/memories/chat-columns.js';
import type { Truth } from '../../engine/one-memory/judge.js';
import type { RecallScope } from '../../engine/one-memory/recall-in-scopes.js';
import { captionOf, resourceKind, resourceOf, resourceUri } from '../../engine/resources/resource-chunks.js';
import { toCurrency } from '../../http/currency.js';
import type { Memory } from '../../ports/memories.js';
import type { Result } from './gateway-schemas.js';

interface ShownMemory {
  memory: Memory;
  score: number;
  scope: RecallScope;
  truth?: Truth;
}

export function toResult(
  owner: { tenantId: string; userId: string },
  { memory, score, scope, truth }: ShownMemory,
): Static<typeof Result> {
  const resourceId = resourceOf(memory);
  const { sessionId, appId, projectId } = chatOf(memory);
  return {
    id: memory.id,
    session_id: sessionId,
    text: memory.content,
    score,
    source_scope: scope,
    ...(resourceId === null ? {} : { resource_uri: resourceUri(owner, resourceId) }),
    raw: {
      kind: memory.kind,
      role: memory.role,
      sender_id: memory.source,
      app_id: appId,
      project_id: projectId,
      timestamp: memory.occurredAt.getTime(),
      created_at: memory.createdAt.toISOString(),
      surface: memory.surface,
      author: memory.author,
      trust: memory.trust,
      metadata: memory.metadata,
      truth: toCurrency(truth),
      ...captionOf(memory),
    },
  };
}

/** Returns the narrowest scope that contains the memory. Used if it was not found by a search in a scope. */
export function ownScope({ kind, sessionId }: Memory): RecallScope {
  if (kind === resourceKind) return 'resources';
  return sessionId?.startsWith('chat:') ? 'current_chat' : 'all_user_memory';
}
