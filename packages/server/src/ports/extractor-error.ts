/**
 * - `unavailable`: may work later (network, overload, time-out). `retryable` is true.
 * - `rejected`: the model service refused the request (key, model, input); the same request will fail again.
 * - `invalid-response`: an answer came that breaks the contract.
 * - `misconfigured`: the configuration itself cannot work.
 */
type ExtractorErrorCode = 'unavailable' | 'rejected' | 'invalid-response' | 'misconfigured';

/**
 * The only error an extractor raises, apart from an abort signal's own reason. Its text never holds a key or what was
 * said.
 */
export class ExtractorError extends Error {
  override readonly name = 'ExtractorError';
  readonly code: ExtractorErrorCode;
  /** How long the model service asks callers to wait, if it says so. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ExtractorErrorCode, message: string, retryAfterMs?: number) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  get retryable(): boolean {
    return this.code === 'unavailable';
  }
}
