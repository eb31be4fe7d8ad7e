/** What the server, or the way to it, answered instead of a result. */
export class MemhallError extends Error {
  override readonly name = 'MemhallError';
  /** The server's problem code; NETWORK when it was not reached, TIMEOUT when it took too long, PROTOCOL when the answer made no sense. */
  readonly code: string;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly requestId: string | null;
  readonly details: Record<string, unknown>;
  readonly retryAfterSeconds: number | null;

  constructor(fields: {
    code: string;
    message: string;
    status: number;
    requestId?: string | null;
    details?: Record<string, unknown>;
    retryAfterSeconds?: number | null;
    cause?: unknown;
  }) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.status = fields.status;
    this.requestId = fields.requestId ?? null;
    this.details = fields.details ?? {};
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null;
  }
}
