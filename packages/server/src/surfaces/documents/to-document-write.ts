import { type Json, Problem } from '@memhall/core';
import type { Caller } from '../../engine/caller.js';
import { toDocumentPath } from '../../engine/documents/document-path.js';
import type { DocumentWrite } from '../../engine/documents/write-document.js';
import { type IdempotencyRequest, payloadHash } from '../../engine/idempotency.js';
import type { Precondition } from '../../engine/precondition.js';
import { toPrecondition } from '../../http/preconditions.js';

interface WriteHeaders {
  'if-match'?: string;
  'if-none-match'?: string;
  'idempotency-key'?: string;
}

interface WriteBody {
  profile_id: string;
  binding_id: string;
  reason: string;
  evidence?: unknown;
  confidence?: number;
}

const keyPattern = /^[\x21-\x7e]{1,255}$/;

export function toDocumentWrite(
  method: 'PATCH' | 'PUT',
  params: { namespace: string; path: string },
  headers: WriteHeaders,
  body: WriteBody,
): Omit<DocumentWrite, 'replaces'> {
  const path = toDocumentPath(params.path);
  return {
    namespace: params.namespace,
    path,
    profileId: body.profile_id,
    bindingId: body.binding_id,
    reason: body.reason,
    evidence: (body.evidence as Json | undefined) ?? null,
    confidence: body.confidence ?? null,
    precondition: toExpectation(headers),
    idempotency: toIdempotency(headers['idempotency-key'], [method, params.namespace, path, body as unknown as Json]),
  };
}

/** On document writes, If-Match: * allows any state, including no document. */
function toExpectation(headers: WriteHeaders): Precondition {
  const precondition = toPrecondition(headers);
  if (precondition.kind === 'exists') return { kind: 'none' };
  if (precondition.kind === 'none') {
    throw new Problem(
      'MISSING_IF_MATCH',
      'A precondition is required. Send If-Match with the ETag you read, If-None-Match: * to create the document, or If-Match: * to write in either case.',
    );
  }
  return precondition;
}

function toIdempotency(key: string | undefined, payload: Json): IdempotencyRequest {
  if (key === undefined || key === '') {
    throw new Problem(
      'MISSING_IDEMPOTENCY_KEY',
      'The Idempotency-Key header is required. Use a new key for every change.',
    );
  }
  if (!keyPattern.test(key)) {
    throw new Problem('INVALID_REQUEST', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.');
  }
  return { key, payloadHash: payloadHash(payload) };
}

/** Throws FORBIDDEN if the caller may not give this reason: the history of a document must not claim that an admin acted. */
export function checkReason({ actor }: Caller, reason: string): void {
  if (reason !== 'admin_migration' || actor.roles.includes('admin')) return;
  throw new Problem('FORBIDDEN', 'The reason "admin_migration" needs the role admin. Use "live_update" instead.');
}
