/**
 * - `unavailable`: may work later (network, overload, time-out, lost worker). `retryable` is true.
 * - `rejected`: the embedding service refused the request (key, model, input); the same request will fail again.
 * - `invalid-response`: an answer came that is not what was asked for (count, numbers, form).
 * - `dimension-mismatch`: vectors of another length than configured.
 * - `model-corrupt`: model files differ from the pinned ones.
 * - `misconfigured`: the configuration itself cannot work.
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

/** Bad request, too large, not to be processed. */
const textRefusals: ReadonlySet<number> = new Set([400, 413, 422]);

/** The only error an embedder raises, apart from an abort signal's own reason. Its text never holds a key or input. */
export class EmbedderError extends Error {
  override readonly name = 'EmbedderError';
  readonly code: EmbedderErrorCode;
  /** HTTP status of the embedding service's response, if there was one. */
  readonly status: number | undefined;

  constructor(code: EmbedderErrorCode, message: string, status?: number) {
    super(message);
    this.code = code;
    this.status = status;
  }

  /** One of the texts may be at fault: the others may do without it. Keys, models and addresses are refused in other ways. */
  get isAboutText(): boolean {
    return this.code === 'invalid-response' || (this.code === 'rejected' && textRefusals.has(this.status ?? 0));
  }

  get retryable(): boolean {
    return this.code === 'unavailable';
  }
}
