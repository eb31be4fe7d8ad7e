import type { Static } from 'typebox';
import type { HistoryEntry } from '../../engine/history/memory-history.js';
import { type Origin as DescribedOrigin, describeOrigin } from '../../engine/one-memory/describe-origin.js';
import type { AnyRecalled } from '../../engine/one-memory/recall-any.js';
import type { AnySession } from '../../engine/one-memory/recall-any-sessions.js';
import { foundBy } from '../../engine/one-memory/say-why.js';
import type { Why as WhyRecalled } from '../../engine/one-memory/why-recalled.js';
import { toCurrency } from '../../http/currency.js';
import type { Memory } from '../../ports/memories.js';
import type { AnyMemory, Origin, Why } from './one-memory-schemas.js';

export function toAnyMemory(memory: Memory): Static<typeof AnyMemory> {
  const origin = describeOrigin(memory);
  return {
    id: memory.id,
    content: memory.content,
    kind: memory.kind,
    external_id: memory.externalId,
    tags: memory.tags,
    metadata: memory.metadata,
    session_id: origin.sessionId ?? null,
    role: memory.role,
    pin: memory.isPinned,
    namespace: memory.partition.kind === 'namespace' ? memory.partition.name : null,
    public: memory.partition.kind === 'public',
    occurred_at: memory.occurredAt.toISOString(),
    expires_at: memory.expiresAt?.toISOString() ?? null,
    recorded_at: memory.recordedAt.toISOString(),
    updated_at: memory.updatedAt.toISOString(),
    trust: memory.trust,
    origin: toOrigin(origin),
  };
}

export function toOrigin({ sessionId, resource, ...origin }: DescribedOrigin): Static<typeof Origin> {
  return {
    ...origin,
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    ...(resource && { resource: { resource_id: resource.resourceId, title: resource.title } }),
  };
}

export function toRecallResult(found: AnyRecalled) {
  const { memory, score, explanation, reranked, also, isOwn, truth, standsFor, scoredAs } = found;
  return {
    id: memory.id,
    text: memory.content,
    kind: memory.kind,
    score,
    occurred_at: memory.occurredAt.toISOString(),
    recorded_at: memory.recordedAt.toISOString(),
    origin: toOrigin(describeOrigin(memory)),
    trust: memory.trust,
    ...toCurrency(truth),
    ...(standsFor === undefined ? {} : { stands_for: [...standsFor] }),
    own: isOwn,
    ...(also.length === 0 ? {} : { also: also.map(({ id }) => id) }),
    ...(explanation && {
      explain: {
        ...explanation,
        ...(reranked && { reranked }),
        ...(scoredAs && { scored_as: scoredAs }),
        copies: also,
      },
    }),
  };
}

export function toSessionResult({ sessionId, score, startedAt, endedAt, best, count }: AnySession) {
  return {
    session_id: sessionId,
    score,
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    best: best.map(toRecallResult),
    count,
  };
}

/** The names that conditions have in a request; others have none there. */
const fieldNames = new Map<string, string>([
  ['sessionIds', 'session_id'],
  ['occurredFrom', 'from'],
  ['occurredTo', 'to'],
]);

export function toWhy({ reason, rank, message, keptOutBy, copyOf, ranking, truth }: WhyRecalled): Static<typeof Why> {
  return {
    returned: reason === 'returned',
    ...(rank === undefined ? {} : { rank }),
    reason,
    explain: {
      message,
      ...(keptOutBy.length === 0 ? {} : { filters: keptOutBy.map((name) => fieldNames.get(name) ?? name) }),
      ...(copyOf && { copy_of: copyOf }),
      ...(truth && toCurrency(truth)),
      ...(ranking && {
        found_by: foundBy(ranking),
        score: ranking.score,
        parts: ranking.explanation,
        ...(ranking.cosineFloor === null ? {} : { cosine_floor: ranking.cosineFloor }),
        matches: ranking.matches,
      }),
    },
  };
}

export function toHistoryEntry({ at, change, surface, operation, actor }: HistoryEntry) {
  return { at: at.toISOString(), change, surface, operation, user_id: actor.userId, service_id: actor.serviceId };
}
