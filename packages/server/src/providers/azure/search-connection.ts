import type { TokenCredential } from '@azure/identity';
import { EventIndexError } from '../../ports/event-index.js';
import { parseRetryAfterMs, type RetryOptions, retry } from '../retry.js';

const apiVersion = '2024-07-01';
const tokenScope = 'https://search.azure.com/.default';
/** A token is replaced this long before it expires. */
const tokenReserveMs = 5 * 60_000;
const retries: RetryOptions = { maxRetries: 2, baseDelayMs: 200, maxDelayMs: 2000, givesUpOnLongWaits: true };
const noRetries: RetryOptions = { ...retries, maxRetries: 0 };

const status = { conflict: 409, requestTimeout: 408, tooManyRequests: 429, serverError: 500 } as const;

export interface SearchConnectionOptions {
  /** `https://<service>.search.windows.net`. */
  serviceUrl: string;
  /** The API key, or the identity of the process. */
  access: { apiKey: string } | { credential: TokenCredential };
}

export interface SearchRequest {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Below the service, without the version. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  timeoutMs: number;
  /** False if the caller has something better to do than to wait. */
  repeats?: boolean;
  /** Statuses that the caller expects, besides 2xx. */
  expected?: readonly number[];
}

/**
 * Requests to the REST API of Azure AI Search. Hazard: keys and texts. No error contains a header, a body, or an error of another
 * library.
 */
export class SearchConnection {
  readonly host: string;
  readonly #options: SearchConnectionOptions;
  #token: { token: string; expiresOnTimestamp: number } | undefined;

  constructor(options: SearchConnectionOptions) {
    this.#options = options;
    this.host = new URL(options.serviceUrl).host;
  }

  /** Repeats requests that failed for a moment. Throws EventIndexError. */
  send(request: SearchRequest): Promise<{ status: number; body: unknown }> {
    const own = new AbortController();
    return retry(request.repeats === false ? noRetries : retries, own.signal, () => this.#attempt(request));
  }

  async #attempt({ method, path, body, headers, timeoutMs, expected = [] }: SearchRequest) {
    // A timer, because signals made by AbortSignal.timeout may be garbage-collected and then never fire in Node 20.
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), timeoutMs);
    try {
      const response = await fetch(new URL(`${path}?api-version=${apiVersion}`, this.#options.serviceUrl), {
        method,
        headers: { ...(await this.#authorization(ending.signal)), 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: ending.signal,
      });
      const text = await response.text();
      if (!response.ok && !expected.includes(response.status)) throw this.#toError(response);
      return { status: response.status, body: response.ok ? parse(text) : undefined };
    } catch (error) {
      if (error instanceof EventIndexError) throw error;
      const problem = ending.signal.aborted ? `did not respond within ${timeoutMs} ms` : 'cannot be reached';
      throw new EventIndexError('unavailable', `Azure AI Search at ${this.host} ${problem}`);
    } finally {
      clearTimeout(timer);
    }
  }

  async #authorization(abortSignal: AbortSignal): Promise<Record<string, string>> {
    const { access } = this.#options;
    if ('apiKey' in access) return { 'api-key': access.apiKey };
    if (this.#token === undefined || this.#token.expiresOnTimestamp - Date.now() < tokenReserveMs) {
      try {
        this.#token = (await access.credential.getToken(tokenScope, { abortSignal })) ?? undefined;
      } catch {
        this.#token = undefined;
      }
    }
    if (this.#token === undefined) {
      throw new EventIndexError('unavailable', 'The identity of this process gets no token for Azure AI Search');
    }
    return { authorization: `Bearer ${this.#token.token}` };
  }

  #toError(response: Response): EventIndexError {
    const message = `Azure AI Search at ${this.host} responded with status ${response.status}`;
    const mayPass =
      response.status === status.requestTimeout ||
      response.status === status.conflict ||
      response.status === status.tooManyRequests ||
      response.status >= status.serverError;
    if (!mayPass) return new EventIndexError('rejected', message);
    return new EventIndexError(
      'unavailable',
      message,
      parseRetryAfterMs(response.headers.get('retry-after'), Date.now()),
    );
  }
}

function parse(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}
