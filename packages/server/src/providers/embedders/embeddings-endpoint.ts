import { EmbedderError } from '../../ports/embedder-error.js';
import { ServiceEndpoint, type ServiceFault } from '../service-endpoint.js';

/** An `unavailable` error; the server may have said when to retry. */
class RetryLaterError extends EmbedderError {
  readonly retryAfterMs: number | undefined;

  constructor({ message, status, retryAfterMs }: ServiceFault) {
    super('unavailable', message, status);
    this.retryAfterMs = retryAfterMs;
  }
}

/** One POST to `{baseUrl}/embeddings`; no retries. */
export class EmbeddingsEndpoint {
  readonly #endpoint: ServiceEndpoint;

  constructor(baseUrl: string, apiKey: string | undefined, timeoutMs: number) {
    this.#endpoint = new ServiceEndpoint({
      service: 'embedding service',
      baseUrl,
      path: '/embeddings',
      apiKey,
      timeoutMs,
      toError,
    });
  }

  /** Origin and path, safe to show. */
  get address(): string {
    return this.#endpoint.address;
  }

  async post(request: object, signal: AbortSignal): Promise<unknown> {
    const text = await this.#endpoint.post(JSON.stringify(request), signal);
    try {
      return JSON.parse(text);
    } catch {
      throw new EmbedderError('invalid-response', `The embedding service at ${this.address} did not respond with JSON`);
    }
  }
}

function toError(fault: ServiceFault): EmbedderError {
  return fault.code === 'unavailable'
    ? new RetryLaterError(fault)
    : new EmbedderError(fault.code, fault.message, fault.status);
}
