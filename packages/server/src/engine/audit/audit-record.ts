import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '@memhall/core';
import type { Partition } from '../../ports/memories.js';
import type { Caller } from '../caller.js';

/** One change, as the audit log records it. */
export interface Mutation {
  /** What changed, such as `working/plan-1/cursor`. */
  target: string;
  preEtag: string | null;
  postEtag: string | null;
  /** SHA-256 of the new content, or null if there is none. The content itself is only logged if `details` contains it. */
  contentHash: string | null;
  /** Who can see it, for readers that follow changes; default: the user. */
  partition?: Partition;
  /** When it took effect; default: when the request began. */
  at?: Date;
  /** Further members of the record, such as the operations needed to repeat a change to a document. */
  details?: { [key: string]: Json };
}

/** Returns the canonical JSON of a record, which is hashed and stored. Members may be added but never renamed or removed. */
export function toAuditRecord(caller: Caller, mutation: Mutation, now: Date): string {
  return canonicalJson({
    ...mutation.details,
    version: 1,
    at: (mutation.at ?? now).toISOString(),
    tenant_id: caller.tenantId,
    user_id: caller.userId,
    actor: toActor(caller.actor),
    operation: caller.operation,
    target: mutation.target,
    pre_etag: mutation.preEtag,
    post_etag: mutation.postEtag,
    content_sha256: mutation.contentHash,
    request_id: caller.requestId,
  });
}

function toActor({ userId, serviceId, roles, isService = false }: Caller['actor']) {
  return { user_id: userId, service_id: serviceId, roles: [...roles], ...(isService && { is_service: true }) };
}

export function contentHash(content: Json): string {
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}
