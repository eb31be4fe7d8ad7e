import type { Embedder, EmbedderDescription, EmbedOptions, EmbedPurpose } from '../../ports/embedder.js';
import { EmbedderError } from '../../ports/embedder-error.js';
import { type RetryOptions, retry } from '../retry.js';
import { EmbeddingsEndpoint } from './embeddings-endpoint.js';
import { parseEmbeddingsResponse } from './embeddings-response.js';
import { RequestLimiter } from './request-limiter.js';
import { splitByLimits } from './split-by-limits.js';

export interface OpenAiCompatibleEmbedderOptions {
  /** Up to and including the version, as in `https://host/v1`. */
  baseUrl: string;
  model: string;
  apiKey?: string | undefined;
  /** Expected dimension of the vectors. If omitted, `probe` determines it. */
  dimension?: number | undefined;
  /** Request that dimension from the service; only some models can shorten their vectors. */
  requestDimension?: boolean | undefined;
  /**
   * If omitted, the service decides. `base64` reduces responses to a quarter of the size if the service supports it.
   */
  encodingFormat?: 'float' | 'base64' | undefined;
  /** Put before every text, as some models require (`query: `, `passage: `). */
  prefixes?: Partial<Record<EmbedPurpose, string>> | undefined;
  /** Default 64. */
  maxTextsPerRequest?: number | undefined;
  /** UTF-16 code units, default 100,000. */
  maxCharactersPerRequest?: number | undefined;
  /**
   * UTF-16 code units, default 24,000; longer texts are cut, because services reject texts that exceed their window.
   */
  maxCharactersPerText?: number | undefined;
  /** Concurrent requests over all calls, default 4. */
  maxConcurrentRequests?: number | undefined;
  /** For each request, default 30,000. */
  timeoutMs?: number | undefined;
  /** For a whole query including retries, default 3,000: the caller is waiting and can do without a vector. */
  queryTimeoutMs?: number | undefined;
  /** Default: 3 retries, from 250 ms to at most 20,000 ms apart. */
  retry?: Partial<RetryOptions> | undefined;
}

/** Opens an embedder and determines or checks its dimension. */
export async function openOpenAiCompatibleEmbedder(
  options: OpenAiCompatibleEmbedderOptions,
): Promise<OpenAiCompatibleEmbedder> {
  const embedder = new OpenAiCompatibleEmbedder(options);
  await embedder.probe();
  return embedder;
}

/** Uses any service with OpenAI's `POST /embeddings`. Serializing or inspecting it never reveals the key. */
export class OpenAiCompatibleEmbedder implements Embedder {
  readonly local = false;
  readonly isReady = true;
  readonly distinguishesPurpose: boolean;
  readonly #options: OpenAiCompatibleEmbedderOptions;
  readonly #endpoint: EmbeddingsEndpoint;
  readonly #limiter: RequestLimiter;
  readonly #retry: RetryOptions;
  readonly #calls = new Set<AbortController>();
  #isClosed = false;
  #dimension: number | undefined;

  constructor(options: OpenAiCompatibleEmbedderOptions) {
    this.#options = options;
    this.#dimension = options.dimension;
    this.#endpoint = new EmbeddingsEndpoint(options.baseUrl, options.apiKey, options.timeoutMs ?? 30_000);
    this.#limiter = new RequestLimiter(options.maxConcurrentRequests ?? 4);
    this.#retry = { maxRetries: 3, baseDelayMs: 250, maxDelayMs: 20_000, ...options.retry };
    this.distinguishesPurpose = (options.prefixes?.query ?? '') !== (options.prefixes?.passage ?? '');
  }

  /**
   * Includes the dimension, because the name alone is ambiguous: many services serve whatever is loaded under any name,
   * and some shorten vectors on request.
   */
  get model(): string {
    return `${this.#options.model}@${this.dimension}`;
  }

  /** Known from the options, or once `probe` has resolved; before that, reading it throws `misconfigured`. */
  get dimension(): number {
    if (this.#dimension !== undefined) return this.#dimension;
    throw new EmbedderError(
      'misconfigured',
      `The dimension of ${this.#options.model} is unknown until the service has been probed`,
    );
  }

  /**
   * Embeds a word to determine or check the dimension; a `dimension-mismatch` names both numbers. The service may have
   * to load the model first.
   */
  async probe(signal?: AbortSignal): Promise<number> {
    const [vector] = await this.embed(['probe'], { purpose: 'passage', signal });
    this.#dimension = (vector as Float32Array).length;
    return this.#dimension;
  }

  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    const { purpose = 'passage', signal } = options;
    signal?.throwIfAborted();
    if (this.#isClosed) throw closedError();
    const batches = splitByLimits(
      texts.map((text) => this.#prepare(text, purpose)),
      this.#options.maxTextsPerRequest ?? 64,
      this.#options.maxCharactersPerRequest ?? 100_000,
    );
    const call = new AbortController();
    const onAbort = () => call.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const patience = purpose === 'query' ? this.#limitQuery(call) : undefined;
    this.#calls.add(call);
    try {
      return (await Promise.all(batches.map((batch) => this.#embedBatch(batch, purpose, call.signal)))).flat();
    } catch (error) {
      call.abort(error);
      throw error;
    } finally {
      clearTimeout(patience);
      signal?.removeEventListener('abort', onAbort);
      this.#calls.delete(call);
    }
  }

  describe(): EmbedderDescription {
    return {
      kind: 'openai-compatible',
      model: this.model,
      dimension: this.dimension,
      runtime: this.#endpoint.address,
      status: 'ready',
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const call of this.#calls) call.abort(closedError());
  }

  #limitQuery(call: AbortController): NodeJS.Timeout {
    const { queryTimeoutMs = 3000 } = this.#options;
    const message = `The embedding service at ${this.#endpoint.address} did not embed a query within ${queryTimeoutMs} ms`;
    return setTimeout(() => call.abort(new EmbedderError('unavailable', message)), queryTimeoutMs);
  }

  #embedBatch(batch: readonly string[], purpose: EmbedPurpose, signal: AbortSignal): Promise<Float32Array[]> {
    return this.#limiter.run(purpose, signal, () => retry(this.#retry, signal, () => this.#request(batch, signal)));
  }

  async #request(batch: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { model, encodingFormat, requestDimension = false } = this.#options;
    const request = {
      model,
      input: batch,
      ...(encodingFormat === undefined ? {} : { encoding_format: encodingFormat }),
      ...(requestDimension && this.#dimension !== undefined ? { dimensions: this.#dimension } : {}),
    };
    return parseEmbeddingsResponse(await this.#endpoint.post(request, signal), batch.length, this.#dimension);
  }

  /** Services reject empty input and ill-formed Unicode; neither may make a whole batch fail. */
  #prepare(text: string, purpose: EmbedPurpose): string {
    const cut = text.slice(0, this.#options.maxCharactersPerText ?? 24_000);
    const wellFormed = Buffer.from(cut, 'utf8').toString('utf8');
    return `${this.#options.prefixes?.[purpose] ?? ''}${wellFormed.trim() === '' ? '-' : wellFormed}`;
  }
}

function closedError(): EmbedderError {
  return new EmbedderError('closed', 'The embedder is closed');
}
