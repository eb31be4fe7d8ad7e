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
  /** What the vectors must have. Left out, `probe` learns it. */
  dimension?: number | undefined;
  /** Ask the service for that dimension; only some models can shorten their vectors. */
  requestDimension?: boolean | undefined;
  /** Left out, the service decides. `base64` makes answers a quarter of the size where it is known. */
  encodingFormat?: 'float' | 'base64' | undefined;
  /** Put before every text, as some models want (`query: `, `passage: `). */
  prefixes?: Partial<Record<EmbedPurpose, string>> | undefined;
  /** Default 64. */
  maxTextsPerRequest?: number | undefined;
  /** UTF-16 units, default 100,000. */
  maxCharactersPerRequest?: number | undefined;
  /** UTF-16 units, default 24,000; longer texts are cut, since services reject what exceeds their window. */
  maxCharactersPerText?: number | undefined;
  /** Requests at a time over all calls, default 4. */
  maxConcurrentRequests?: number | undefined;
  /** For each request, default 30,000. */
  timeoutMs?: number | undefined;
  /** For a query as a whole, retries included, default 3,000: somebody waits for it, and can do without a vector. */
  queryTimeoutMs?: number | undefined;
  /** Default: 3 retries, from 250 ms to at most 20,000 ms apart. */
  retry?: Partial<RetryOptions> | undefined;
}

/** An embedder whose dimension has been learned or checked. */
export async function openOpenAiCompatibleEmbedder(
  options: OpenAiCompatibleEmbedderOptions,
): Promise<OpenAiCompatibleEmbedder> {
  const embedder = new OpenAiCompatibleEmbedder(options);
  await embedder.probe();
  return embedder;
}

/** Any service with OpenAI's `POST /embeddings`. Serialised or inspected, it never shows its key. */
export class OpenAiCompatibleEmbedder implements Embedder {
  readonly local = false;
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

  /** Names are the service's own: many serve whatever is loaded under any name, and some shorten vectors on request. */
  get model(): string {
    return `${this.#options.model}@${this.dimension}`;
  }

  /** Known from the options, or once `probe` has resolved; before that, reading it throws `misconfigured`. */
  get dimension(): number {
    if (this.#dimension !== undefined) return this.#dimension;
    throw new EmbedderError(
      'misconfigured',
      `The dimension of ${this.#options.model} is unknown until the service was probed`,
    );
  }

  /** Embeds a word to learn the dimension, or to check it: `dimension-mismatch` names both numbers. A model may be loaded for it first. */
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
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const call of this.#calls) call.abort(closedError());
  }

  #limitQuery(call: AbortController): NodeJS.Timeout {
    const { queryTimeoutMs = 3000 } = this.#options;
    const message = `The embedding service at ${this.#endpoint.address} gave no vector of a query within ${queryTimeoutMs} ms`;
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

  /** Services reject empty input and ill-formed Unicode; neither may fail a whole batch. */
  #prepare(text: string, purpose: EmbedPurpose): string {
    const cut = text.slice(0, this.#options.maxCharactersPerText ?? 24_000);
    const wellFormed = Buffer.from(cut, 'utf8').toString('utf8');
    return `${this.#options.prefixes?.[purpose] ?? ''}${wellFormed.trim() === '' ? '-' : wellFormed}`;
  }
}

function closedError(): EmbedderError {
  return new EmbedderError('closed', 'The embedder is closed');
}
