/**
 * - `unavailable`: may work later (network, overload, time-out). `retryable` is true.
 * - `rejected`: the provider refused the request (key, model, input); the same request will fail again.
 * - `invalid-response`: an answer came that breaks the contract.
 */
export type ExtractorErrorCode = 'unavailable' | 'rejected' | 'invalid-response';

/** The only error an extractor raises, apart from an abort signal's own reason. Its text never holds what was said. */
export class ExtractorError extends Error {
  override readonly name = 'ExtractorError';
  readonly code: ExtractorErrorCode;

  constructor(code: ExtractorErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  get retryable(): boolean {
    return this.code === 'unavailable';
  }
}
