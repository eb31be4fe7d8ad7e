import type { Json } from './json.js';

/** Every code a client can meet, and the HTTP status that follows from it. A surface may render either its own way. */
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
  IDEMPOTENCY_CONFLICT: 409,
  SNAPSHOT_UNREADABLE: 409,
  SCHEMA_VERSION_EXISTS: 409,
  LEGAL_HOLD: 409,
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
  QUOTA_EXCEEDED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

/** What each code means to whoever meets it; the reference is made from this. */
export const problemMeanings: Record<keyof typeof problemStatuses, string> = {
  INVALID_REQUEST:
    'The request does not fit its schema, or is not valid HTTP, JSON or UTF-8. The message says what to change.',
  UNKNOWN_FIELD: 'A field or query parameter that does not exist; `details.field` names it.',
  INVALID_PATCH: 'Not a JSON Patch; `details` names the operation by `index`, the `member` of it, and what to change.',
  INVALID_PATH: 'Not the path of a document: relative, without empty parts, `..`, backslashes or control characters.',
  INVALID_EVENT: 'The event lacks something or has it in the wrong form; `details` says what.',
  UNSUPPORTED_CONTENT: 'A part of a message is of a kind that is not taken here: send its text.',
  MISSING_IF_MATCH: 'A write must say what it expects to find: If-Match with an ETag or `*`, or If-None-Match: `*`.',
  MISSING_IDEMPOTENCY_KEY: 'A write must have an Idempotency-Key, so that it can be repeated safely.',
  UNAUTHENTICATED: 'No token, or one that is malformed, wrongly signed, expired, or without a tenant.',
  FORBIDDEN: 'The token is valid and does not reach: another tenant or user, or a role is missing.',
  WRITE_NOT_ALLOWED: 'The binding lets its documents be read only.',
  REPLACE_NOT_ALLOWED: 'The binding takes patches only; replacing whole documents needs role admin.',
  SCOPE_MISMATCH: 'The body names another tenant or user than the path.',
  NOT_FOUND: 'There is no such thing, or none that this token may see.',
  PROFILE_NOT_FOUND: 'The tenant has no such profile.',
  BINDING_NOT_FOUND: 'The profile has no such binding.',
  DOCUMENT_NOT_FOUND: 'The user has no such document, or had none at that time.',
  METHOD_NOT_ALLOWED: 'The path exists and does not answer this method; `Allow` lists those it does.',
  CONFLICT: 'The present state does not allow this change.',
  INVALID_TRANSITION: 'A finished plan cannot change its status again; `details` says from what to what.',
  IDEMPOTENCY_CONFLICT: 'The Idempotency-Key was used within the last 24 hours for another request.',
  SNAPSHOT_UNREADABLE: 'The snapshot was altered, or the key it was encrypted with is gone.',
  SCHEMA_VERSION_EXISTS: 'Another schema is registered under this id and version; registered versions never change.',
  LEGAL_HOLD: 'A legal hold keeps this from being removed; `details.legal_holds` names it. Nothing was removed.',
  ETAG_MISMATCH:
    'The state is not the one that If-Match or If-None-Match asks for; `details.latest_etag` is the present one.',
  PAYLOAD_TOO_LARGE: 'The body is over the limit.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is of a kind that is not taken here.',
  CONTENT_BLOCKED:
    'The text holds what must not reach a model; `details` has the category and the rule, never the text.',
  EMBEDDING_DIMENSION_MISMATCH: 'A given embedding has another length than those in the store; `details` says both.',
  INVALID_SCHEMA: 'Not a JSON Schema (2020-12) that can be used; `details.reason` says why.',
  SCHEMA_NOT_FOUND: 'The schema that a profile names is not registered.',
  BINDING_NAMESPACE_MISMATCH: 'The binding is for documents of another namespace.',
  BINDING_PATH_MISMATCH: 'The binding is for documents with another path.',
  PATCH_TOO_LARGE: 'The patch has more operations than the binding takes.',
  PATH_NOT_WRITABLE: 'An operation reaches for a place that the profile does not let be written; `details` says which.',
  PATCH_APPLY_FAILED:
    'An operation of the patch does not fit the document, so nothing was changed; `details` says which and why.',
  DOCUMENT_SIZE_EXCEEDED: 'The document would be larger than its limit; nothing was changed.',
  ARRAY_LIMIT_EXCEEDED: 'An array of the document would have more elements than its profile allows.',
  TIER_CAP_EXCEEDED:
    "The tier's text would be longer than its cap, in bytes; `details` has tier, cap, projected and current. Nothing was written.",
  EVIDENCE_REQUIRED: 'Replays and durable facts must say what they were concluded from.',
  CONFIDENCE_TOO_LOW: 'The writer is less sure than the profile demands; `details` says both.',
  SCHEMA_VALIDATION_FAILED:
    'The document would not fit its schema; `details.faults` has pointer and rule of each fault.',
  QUOTA_EXCEEDED: 'Too many requests; `Retry-After` says when to go on.',
  INTERNAL: 'A fault of ours. The request id finds it in the log.',
  UNAVAILABLE: 'The store, or what tokens are checked with, does not answer. Safe to try again after `Retry-After`.',
};

export type ProblemCode = keyof typeof problemStatuses;

export interface ProblemOptions {
  details?: Record<string, Json>;
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The one error that crosses layers. Anything else that reaches a surface is rendered as INTERNAL. */
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
