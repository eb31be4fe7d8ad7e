import type { Json } from './json.js';

/** Every code a client can meet, and the HTTP status that follows from it. A surface may render either its own way. */
export const problemStatuses = {
  INVALID_REQUEST: 400,
  UNKNOWN_FIELD: 400,
  INVALID_PATCH: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  INVALID_TRANSITION: 409,
  ETAG_MISMATCH: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  EMBEDDING_DIMENSION_MISMATCH: 422,
  PATCH_APPLY_FAILED: 422,
  DOCUMENT_SIZE_EXCEEDED: 422,
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
  UNAUTHENTICATED: 'No token, or one that is malformed, wrongly signed, expired, or without a tenant.',
  FORBIDDEN: 'The token is valid and does not reach: another tenant or user, or a role is missing.',
  NOT_FOUND: 'There is no such thing, or none that this token may see.',
  METHOD_NOT_ALLOWED: 'The path exists and does not answer this method; `Allow` lists those it does.',
  CONFLICT: 'The present state does not allow this change.',
  INVALID_TRANSITION: 'A finished plan cannot change its status again; `details` says from what to what.',
  ETAG_MISMATCH:
    'The state is not the one that If-Match or If-None-Match asks for; `details.latest_etag` is the present one.',
  PAYLOAD_TOO_LARGE: 'The body is over the limit.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is of a kind that is not taken here.',
  EMBEDDING_DIMENSION_MISMATCH: 'A given embedding has another length than those in the store; `details` says both.',
  PATCH_APPLY_FAILED:
    'An operation of the patch does not fit the document, so nothing was changed; `details` says which and why.',
  DOCUMENT_SIZE_EXCEEDED: 'The document would be larger than its limit; nothing was changed.',
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
