import type { Json } from './json.js';

/** Every error code a client can receive, with its HTTP status. A surface may render codes and statuses differently. */
export const problemStatuses = {
  INVALID_REQUEST: 400,
  UNKNOWN_FIELD: 400,
  INVALID_PATCH: 400,
  INVALID_PATH: 400,
  INVALID_EVENT: 400,
  UNSUPPORTED_CONTENT: 400,
  MISSING_IF_MATCH: 400,
  MISSING_IDEMPOTENCY_KEY: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  WRITE_NOT_ALLOWED: 403,
  REPLACE_NOT_ALLOWED: 403,
  SCOPE_MISMATCH: 403,
  NOT_FOUND: 404,
  PROFILE_NOT_FOUND: 404,
  BINDING_NOT_FOUND: 404,
  DOCUMENT_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  INVALID_TRANSITION: 409,
  LEASE_HELD: 409,
  LEASE_LOST: 409,
  IDEMPOTENCY_CONFLICT: 409,
  SNAPSHOT_UNREADABLE: 409,
  SCHEMA_VERSION_EXISTS: 409,
  LEGAL_HOLD: 409,
  OWNED_BY_RECORD: 409,
  OFF_THE_RECORD: 409,
  CURSOR_EXPIRED: 410,
  ETAG_MISMATCH: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  CONTENT_BLOCKED: 422,
  EMBEDDING_DIMENSION_MISMATCH: 422,
  INVALID_SCHEMA: 422,
  SCHEMA_NOT_FOUND: 422,
  BINDING_NAMESPACE_MISMATCH: 422,
  BINDING_PATH_MISMATCH: 422,
  PATCH_TOO_LARGE: 422,
  PATH_NOT_WRITABLE: 422,
  PATCH_APPLY_FAILED: 422,
  EVIDENCE_REQUIRED: 422,
  CONFIDENCE_TOO_LOW: 422,
  SCHEMA_VALIDATION_FAILED: 422,
  DOCUMENT_SIZE_EXCEEDED: 422,
  ARRAY_LIMIT_EXCEEDED: 422,
  TIER_CAP_EXCEEDED: 422,
  ATTRIBUTE_HOLDS_MANY: 422,
  QUOTA_EXCEEDED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

/** The meaning of each code for clients. The error reference is generated from these texts. */
export const problemMeanings: Record<keyof typeof problemStatuses, string> = {
  INVALID_REQUEST:
    'The request does not match its schema, or is not valid HTTP, JSON or UTF-8. The message says what to change.',
  UNKNOWN_FIELD: 'The request has an unknown field or query parameter; `details.field` names it.',
  INVALID_PATCH:
    'The JSON Patch is not valid; `details` has the `index` of the operation, its `member` and what to change.',
  INVALID_PATH: 'A document path must be relative, without empty segments, `..`, backslashes or control characters.',
  INVALID_EVENT: 'A field of the event is missing or malformed; `details` says which.',
  UNSUPPORTED_CONTENT: 'A message part has an unsupported type. Send its text instead.',
  MISSING_IF_MATCH: 'A write must state the expected version: If-Match with an ETag or `*`, or If-None-Match: `*`.',
  MISSING_IDEMPOTENCY_KEY: 'A write must have an Idempotency-Key, so that it can be retried safely.',
  UNAUTHENTICATED: 'The token is missing, malformed, expired, has an invalid signature, or names no tenant.',
  FORBIDDEN: 'The token is valid but does not grant access to this tenant or user, or it lacks a role.',
  WRITE_NOT_ALLOWED: 'The binding is read-only.',
  REPLACE_NOT_ALLOWED: 'The binding accepts patches only; replacing whole documents requires role admin.',
  SCOPE_MISMATCH: 'The tenant or user in the body differs from the one in the path.',
  NOT_FOUND: 'The resource does not exist, or this token may not see it.',
  PROFILE_NOT_FOUND: 'The tenant has no such profile.',
  BINDING_NOT_FOUND: 'The profile has no such binding.',
  DOCUMENT_NOT_FOUND: 'The user has no such document, or did not have it at that time.',
  METHOD_NOT_ALLOWED: 'The path exists but does not support this method; `Allow` lists the supported methods.',
  CONFLICT: 'The current state does not allow this change.',
  INVALID_TRANSITION:
    'A finished plan cannot change its status again; `details` has the current and the requested status.',
  LEASE_HELD:
    'Another worker has the lease of the task; `Retry-After` and `details.expires_at` say until when. Deliver the message again then.',
  LEASE_LOST:
    'The lease of the task has passed to another worker, or has ended. Nothing was changed. Leave the task to the others.',
  IDEMPOTENCY_CONFLICT: 'The Idempotency-Key was used for a different request within the last 24 hours.',
  SNAPSHOT_UNREADABLE: 'The snapshot was altered, or its encryption key no longer exists.',
  SCHEMA_VERSION_EXISTS:
    'A different schema is registered under this id and version; registered versions never change.',
  OWNED_BY_RECORD:
    'The memory is a part of a file, a document or a note and changes only with it; `details` has its `owner` and the `call` to use.',
  OFF_THE_RECORD:
    'The call or its session is off the record, and the call can do nothing but store something. Nothing was stored.',
  CURSOR_EXPIRED:
    'The cursor is older than the changes that are kept. Read what you follow again, and go on from `after=now`.',
  LEGAL_HOLD: 'A legal hold prevents the removal; `details.legal_holds` names it. Nothing was removed.',
  ETAG_MISMATCH:
    'The current version does not satisfy If-Match or If-None-Match; `details.latest_etag` is the current ETag.',
  PAYLOAD_TOO_LARGE: 'The body is larger than the limit.',
  UNSUPPORTED_MEDIA_TYPE: 'The content type of the body is not supported.',
  CONTENT_BLOCKED:
    'The text contains something that must not reach a model; `details` has the category and the rule, never the text.',
  EMBEDDING_DIMENSION_MISMATCH:
    'The given embedding and the stored embeddings differ in length; `details` has both lengths.',
  INVALID_SCHEMA: 'The schema is not a usable JSON Schema (2020-12); `details.reason` says why.',
  SCHEMA_NOT_FOUND: 'The schema named by a profile is not registered.',
  BINDING_NAMESPACE_MISMATCH: 'The binding is for documents in a different namespace.',
  BINDING_PATH_MISMATCH: 'The binding is for documents with a different path.',
  PATCH_TOO_LARGE: 'The patch has more operations than the binding allows.',
  PATH_NOT_WRITABLE: 'An operation touches a path that the profile does not allow to be written; `details` says which.',
  PATCH_APPLY_FAILED:
    'An operation of the patch does not apply to the document, so nothing was changed; `details` says which and why.',
  DOCUMENT_SIZE_EXCEEDED: 'The document would be larger than its limit; nothing was changed.',
  ARRAY_LIMIT_EXCEEDED: 'An array of the document would have more elements than its profile allows.',
  TIER_CAP_EXCEEDED:
    "The tier's text would be longer than its cap, in bytes; `details` has tier, cap, projected and current. Nothing was written.",
  ATTRIBUTE_HOLDS_MANY: 'A fact cannot replace another one, because its attribute holds many values.',
  EVIDENCE_REQUIRED: 'Replays and durable facts must include the evidence they are based on.',
  CONFIDENCE_TOO_LOW: 'The confidence is lower than the profile requires; `details` has both values.',
  SCHEMA_VALIDATION_FAILED:
    'The document would not match its schema; `details.faults` has the pointer and the rule of each fault.',
  QUOTA_EXCEEDED: 'Too many requests; `Retry-After` says when to retry.',
  INTERNAL: 'A server fault. Use the request id to find it in the log.',
  UNAVAILABLE:
    'The store or the token verifier does not respond, or the server has too much to do. It is safe to retry after `Retry-After`.',
};

export type ProblemCode = keyof typeof problemStatuses;

export interface ProblemOptions {
  details?: Record<string, Json>;
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The only error that crosses layers. A surface renders any other error as INTERNAL. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly details: Record<string, Json> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ProblemCode, message: string, options: ProblemOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return problemStatuses[this.code];
  }
}
