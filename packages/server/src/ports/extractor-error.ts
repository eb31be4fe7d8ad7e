/**
 * - `unavailable`: may work later (network, overload, timeout). `retryable` is true.
 * - `rejected`: the service rejected the request (key, model, input); the same request will fail again.
 * - `invalid-response`: the response breaks the contract.
 * - `misconfigured`: the configuration cannot work.
 */
type ExtractorErrorCode = 'unavailable' | 'rejected' | 'invalid-response' | 'misconfigured';

/**
 * The only error an extractor throws, apart from an abort signal's reason. Its message never contains a key or
 * conversation text.
 */
export class ExtractorError extends Error {
  override readonly name = 'ExtractorError';
  readonly code: ExtractorErrorCode;
  /** How long the service asks to wait, if it says so. */
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
