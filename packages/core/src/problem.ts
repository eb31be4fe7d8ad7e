import type { Json } from './json.js';

/** Every code a client can meet, and the HTTP status that follows from it. A surface may render either its own way. */
export const problemStatuses = {
  INVALID_REQUEST: 400,
  UNKNOWN_FIELD: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  ETAG_MISMATCH: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  QUOTA_EXCEEDED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

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
