/**
 * - `unavailable`: may work later (network, overload, timeout, lost worker). `retryable` is true.
 * - `rejected`: the service rejected the request (key, model, input); the same request will fail again.
 * - `invalid-response`: the response does not match the request (count, numbers, format).
 * - `dimension-mismatch`: the vectors do not have the configured length.
 * - `model-corrupt`: model files differ from the pinned ones.
 * - `misconfigured`: the configuration cannot work.
 * - `closed`: the embedder was closed before or during the call.
 */
export type EmbedderErrorCode =
  | 'unavailable'
  | 'rejected'
  | 'invalid-response'
  | 'dimension-mismatch'
  | 'model-corrupt'
  | 'misconfigured'
  | 'closed';

/** Bad request, content too large, unprocessable content. */
const textRefusals: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * The only error an embedder throws, apart from an abort signal's reason. Its message never contains a key or input.
 */
export class EmbedderError extends Error {
  override readonly name = 'EmbedderError';
  readonly code: EmbedderErrorCode;
  /** HTTP status of the service's response, if there was one. */
  readonly status: number | undefined;

  constructor(code: EmbedderErrorCode, message: string, status?: number) {
    super(message);
    this.code = code;
    this.status = status;
  }

  /**
   * True if one of the texts may be at fault, so the others may succeed without it. Problems with keys, models and
   * addresses are reported with other codes and statuses.
   */
  get isAboutText(): boolean {
    return this.code === 'invalid-response' || (this.code === 'rejected' && textRefusals.has(this.status ?? 0));
  }

  get retryable(): boolean {
    return this.code === 'unavailable';
  }
}
