import type { Static } from 'typebox';
import { documentOf } from '../../engine/one-memory/owned-by-record.js';
import type { AnyRecalled } from '../../engine/one-memory/recall-any.js';
import { captionOf, resourceOf } from '../../engine/resources/resource-chunks.js';
import { placeOfPiece } from '../../engine/tiers/tier-session.js';
import type { Memory } from '../../ports/memories.js';
import type { AnyMemory, Origin } from './one-memory-schemas.js';

export function toAnyMemory(memory: Memory): Static<typeof AnyMemory> {
  return {
    id: memory.id,
    content: memory.content,
    kind: memory.kind,
    external_id: memory.externalId,
    tags: memory.tags,
    metadata: memory.metadata,
    session_id: sessionOf(memory),
    role: memory.role,
    pin: memory.isPinned,
    namespace: memory.partition.kind === 'namespace' ? memory.partition.name : null,
    public: memory.partition.kind === 'public',
    occurred_at: memory.occurredAt.toISOString(),
    expires_at: memory.expiresAt?.toISOString() ?? null,
    recorded_at: memory.recordedAt.toISOString(),
    updated_at: memory.updatedAt.toISOString(),
    trust: memory.trust,
    origin: toOrigin(memory),
  };
}

export function toOrigin(memory: Memory): Static<typeof Origin> {
  const resourceId = resourceOf(memory);
  const tier = placeOfPiece(memory);
  const document = documentOf(memory);
  const sessionId = sessionOf(memory);
  return {
    surface: memory.surface,
    author: memory.author,
    ...(memory.role === null ? {} : { role: memory.role }),
    ...(memory.partition.kind === 'namespace' ? { namespace: memory.partition.name } : {}),
    ...(sessionId === null ? {} : { session_id: sessionId }),
    ...(document && { document }),
    ...(resourceId === null ? {} : { resource: { resource_id: resourceId, title: captionOf(memory)?.title ?? null } }),
    ...(tier && { tier: { owner: tier.owner, label: tier.label } }),
  };
}

/** Returns null for pieces of a file, a document or a note, whose session only groups them. */
function sessionOf(memory: Memory): string | null {
  const isPiece = resourceOf(memory) !== null || placeOfPiece(memory) !== undefined || documentOf(memory) !== undefined;
  return isPiece ? null : memory.sessionId;
}

export function toRecallResult(found: AnyRecalled) {
  const { memory, score, explanation, also, isOwn } = found;
  return {
    id: memory.id,
    text: memory.content,
    kind: memory.kind,
    score,
    occurred_at: memory.occurredAt.toISOString(),
    recorded_at: memory.recordedAt.toISOString(),
    origin: toOrigin(memory),
    trust: memory.trust,
    current: true,
    own: isOwn,
    ...(also.length === 0 ? {} : { also: also.map(({ id }) => id) }),
    ...(explanation === undefined ? {} : { explain: { ...explanation, copies: also } }),
  };
}
