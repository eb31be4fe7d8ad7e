import { parseRetryAfterMs } from './retry.js';

const requestTimeout = 408;
const tooManyRequests = 429;
const serverError = 500;
/** Codes such as `model_not_found`. Any other text could contain the key or the input. */
const plainCode = /^[a-z]{2,16}(_[a-z]{2,16}){0,5}$/;

/** A failure, described in words that may be shown. */
export interface ServiceFault {
  code: 'misconfigured' | 'unavailable' | 'rejected' | 'invalid-response';
  message: string;
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  /** The rejected part of the request, if the service names it. */
  parameter?: string | undefined;
}

interface ServiceEndpointOptions {
  /** Name of the service in errors, such as `embedding service`. */
  service: string;
  /** Up to and including the version, as in `https://host/v1`. */
  baseUrl: string;
  /** Path after the base URL, such as `/embeddings`. */
  path: string;
  apiKey: string | undefined;
  timeoutMs: number;
  /** Longer responses are not read to the end. */
  maxAnswerBytes?: number | undefined;
  toError(fault: ServiceFault): Error;
}

/**
 * One POST of JSON to an OpenAI-compatible service; no retries. Hazard: the key. It is kept private, and no error
 * contains a header, the credentials or query of a URL, the text of a response or an error of another library.
 */
export class ServiceEndpoint {
  /** Origin and path, safe to show. */
  readonly address: string;
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #options: ServiceEndpointOptions;

  constructor(options: ServiceEndpointOptions) {
    this.#options = options;
    const { service, apiKey, toError } = options;
    this.#url = toEndpointUrl(options);
    this.address = this.#url.origin + this.#url.pathname;
    this.#headers = { 'content-type': 'application/json', accept: 'application/json' };
    if (apiKey === undefined) return;
    if (!/^[\x21-\x7e]+$/.test(apiKey)) {
      const message = `The API key of the ${service} contains characters that are not allowed in a header`;
      throw toError({ code: 'misconfigured', message });
    }
    this.#headers.authorization = `Bearer ${apiKey}`;
  }

  /** Returns the text of a successful response. */
  async post(body: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    // Uses a timer, because signals made by AbortSignal.any and .timeout may be garbage-collected and then never fire
    // in Node 20.
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = setTimeout(end, this.#options.timeoutMs);
    signal.addEventListener('abort', end, { once: true });
    try {
      const { response, text } = await this.#exchange(body, ending.signal);
      if (!response.ok) throw new Refusal(this.#toFault(response, text ?? ''));
      if (text === undefined) throw new Refusal(this.#fault('invalid-response', 'sent a response that is too long'));
      return text;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Refusal) throw this.#options.toError(error.fault);
      const problem = ending.signal.aborted
        ? `did not respond within ${this.#options.timeoutMs} ms`
        : `cannot be reached (${networkCode(error)})`;
      throw this.#options.toError(this.#fault('unavailable', problem));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }

  async #exchange(body: string, signal: AbortSignal): Promise<{ response: Response; text: string | undefined }> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: this.#headers,
      body,
      redirect: 'manual',
      signal,
    });
    return { response, text: await readText(response, this.#options.maxAnswerBytes ?? Number.POSITIVE_INFINITY) };
  }

  #toFault(response: Response, text: string): ServiceFault {
    const { status } = response;
    const { code, parameter } = readError(text, this.#options.apiKey);
    const problem = `responded with status ${status}${code === undefined ? '' : ` (${code})`}`;
    if (status === requestTimeout || status === tooManyRequests || status >= serverError) {
      const retryAfterMs = parseRetryAfterMs(response.headers.get('retry-after'), Date.now());
      return { ...this.#fault('unavailable', problem), status, retryAfterMs };
    }
    return { ...this.#fault('rejected', problem), status, parameter };
  }

  #fault(code: ServiceFault['code'], problem: string): ServiceFault {
    return { code, message: `The ${this.#options.service} at ${this.address} ${problem}` };
  }
}

class Refusal extends Error {
  constructor(readonly fault: ServiceFault) {
    super(fault.message);
  }
}

function toEndpointUrl({ baseUrl, path, service, toError }: ServiceEndpointOptions): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw toError({ code: 'misconfigured', message: `The base URL of the ${service} is not an http(s) URL` });
  }
  if (url.username !== '' || url.password !== '') {
    throw toError({ code: 'misconfigured', message: `The base URL of the ${service} must not contain credentials` });
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  return url;
}

/** Returns undefined if there are more than `maxBytes`. */
async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readError(text: string, apiKey: string | undefined): { code?: string | undefined; parameter?: string } {
  const { code, type, param } = toErrorBody(text);
  const isPlain = (value: unknown): value is string =>
    typeof value === 'string' && plainCode.test(value) && value !== apiKey;
  const found = [code, type].find(isPlain);
  return isPlain(param) ? { code: found, parameter: param } : { code: found };
}

function toErrorBody(text: string): { code?: unknown; type?: unknown; param?: unknown } {
  try {
    return (JSON.parse(text) as { error?: object } | null)?.error ?? {};
  } catch {
    return {};
  }
}

function networkCode(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return typeof cause?.code === 'string' ? cause.code : 'connection failed';
}
