import { EmbedderError } from '../../ports/embedder-error.js';
import { parseRetryAfterMs, RetryLaterError } from './retry.js';

const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;
/** Codes such as `model_not_found`. Anything freer could repeat the key or the input. */
const ERROR_CODE = /^[a-z]{2,16}(_[a-z]{2,16}){0,5}$/;

/**
 * One POST to `{baseUrl}/embeddings`; no retries. Hazard: the key. It is kept private, and no error carries a header,
 * an address's credentials or query, an answer's text or a foreign error.
 */
export class EmbeddingsEndpoint {
  /** Origin and path, fit to be shown. */
  readonly address: string;
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #apiKey: string | undefined;
  readonly #timeoutMs: number;

  constructor(baseUrl: string, apiKey: string | undefined, timeoutMs: number) {
    this.#url = toEndpointUrl(baseUrl);
    this.address = this.#url.origin + this.#url.pathname;
    this.#timeoutMs = timeoutMs;
    this.#apiKey = apiKey;
    this.#headers = { 'content-type': 'application/json', accept: 'application/json' };
    if (apiKey === undefined) return;
    if (!/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new EmbedderError(
        'misconfigured',
        'The API key of the embedding service has characters no header may have',
      );
    }
    this.#headers.authorization = `Bearer ${apiKey}`;
  }

  async post(request: object, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    // By hand: signals made by AbortSignal.any and .timeout may be collected, and never fire, in Node 20.
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = setTimeout(end, this.#timeoutMs);
    signal.addEventListener('abort', end, { once: true });
    try {
      return this.#parse(await this.#exchange(request, ending.signal));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof EmbedderError) throw error;
      if (ending.signal.aborted) throw this.#unavailable(`gave no answer within ${this.#timeoutMs} ms`);
      throw this.#unavailable(`cannot be reached (${networkCode(error)})`);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }

  async #exchange(request: object, signal: AbortSignal): Promise<string> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: this.#headers,
      body: JSON.stringify(request),
      redirect: 'manual',
      signal,
    });
    if (!response.ok) throw await this.#toError(response);
    return response.text();
  }

  async #toError(response: Response): Promise<EmbedderError> {
    const { status } = response;
    const code = await readErrorCode(response);
    const detail = code === undefined || code === this.#apiKey ? '' : ` (${code})`;
    const message = `The embedding service at ${this.address} answered ${status}${detail}`;
    if (status === REQUEST_TIMEOUT || status === TOO_MANY_REQUESTS || status >= SERVER_ERROR) {
      const retryAfterMs = parseRetryAfterMs(response.headers.get('retry-after'), Date.now());
      return new RetryLaterError(message, status, retryAfterMs);
    }
    return new EmbedderError('rejected', message, status);
  }

  #unavailable(problem: string): EmbedderError {
    return new EmbedderError('unavailable', `The embedding service at ${this.address} ${problem}`);
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw new EmbedderError('invalid-response', `The embedding service at ${this.address} answered no JSON`);
    }
  }
}

function toEndpointUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new EmbedderError('misconfigured', 'The base URL of the embedding service is no http(s) address');
  }
  if (url.username !== '' || url.password !== '') {
    throw new EmbedderError('misconfigured', 'The base URL of the embedding service must not hold credentials');
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`;
  return url;
}

async function readErrorCode(response: Response): Promise<string | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  const error = (body as { error?: { code?: unknown; type?: unknown } } | undefined)?.error;
  return [error?.code, error?.type].find((code): code is string => typeof code === 'string' && ERROR_CODE.test(code));
}

function networkCode(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return typeof cause?.code === 'string' ? cause.code : 'connection failed';
}
