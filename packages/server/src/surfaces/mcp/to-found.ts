import type { Json } from '@memhall/core';
import type { ShownMemory } from '../../engine/host/shown-memory.js';
import type { FoundMemory } from './tool-schemas.js';

export function toFound(memory: ShownMemory): FoundMemory {
  const { id, kind, content, from, isOwn, trust, expiresAt, isPinned, propagation, score, isCurrent, note } = memory;
  const { sessionId, resource, ...origin } = memory.origin;
  return {
    memory_id: id,
    ...(origin.namespace === undefined ? {} : { namespace: origin.namespace }),
    ...{ kind, content, from, own: isOwn, trust },
    origin: {
      ...origin,
      ...(sessionId === undefined ? {} : { session_id: sessionId }),
      ...(resource && { resource: { resource_id: resource.resourceId, title: resource.title } }),
    },
    occurred_at: memory.occurredAt.toISOString(),
    created_at: memory.createdAt.toISOString(),
    ...(expiresAt === null ? {} : { expires_at: expiresAt.toISOString() }),
    ...(isPinned ? { pinned: true } : {}),
    ...(propagation === null ? {} : { propagation: propagation as { [member: string]: Json } }),
    ...(isCurrent ? {} : { current: false }),
    ...(note === undefined ? {} : { note }),
    ...(score === undefined ? {} : { score }),
  };
}
