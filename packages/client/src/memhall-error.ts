/** A failed call: an error sent by the server, or a failure to reach it. */
export class MemhallError extends Error {
  override readonly name = 'MemhallError';
  /**
   * The server's problem code, or NETWORK if it was unreachable, TIMEOUT, or PROTOCOL if the response was not valid.
   */
  readonly code: string;
  /** HTTP status, or 0 if there was no response. */
  readonly status: number;
  readonly requestId: string | null;
  readonly details: Record<string, unknown>;
  readonly retryAfterSeconds: number | null;

  /** Published packages have copies of this class: an error of any of them is one of all. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof Error && error.name === 'MemhallError';
  }

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

/** A change that keeps losing to concurrent changes by others fails after this many attempts. */
export const maxTries = 100;

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof MemhallError && error.code === code;
}
