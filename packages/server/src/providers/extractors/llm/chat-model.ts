import { ExtractorError } from '../../../ports/extractor-error.js';
import { type RetryOptions, retry } from '../../retry.js';
import { ServiceEndpoint, type ServiceFault } from '../../service-endpoint.js';
import { type Answer, answerSchema, readAnswer } from './answer.js';

const badRequest = 400;
const unprocessable = 422;
/** Many times what the token budget allows; a longer response means that something is wrong. */
const maxAnswerBytes = 4 * 1024 * 1024;

interface ChatModelOptions {
  /** Up to and including the version, as in `https://host/v1`. */
  baseUrl: string;
  model: string;
  apiKey: string | undefined;
  timeoutMs: number;
  maxOutputTokens: number;
  retry: RetryOptions;
}

interface Question {
  instructions: string;
  /** The conversation, as data. */
  document: string;
  /** What was wrong with the previous answer. */
  fault: string | undefined;
}

/** Differences between services. Learned when a service rejects a request in one dialect and accepts it in another. */
interface Dialect {
  limitName: 'max_tokens' | 'max_completion_tokens';
  format: 'json_schema' | 'json_object';
}

/** The service rejected the request itself. */
class RequestRejected extends ExtractorError {
  constructor(
    message: string,
    readonly status: number | undefined,
    readonly parameter: string | undefined,
  ) {
    super('rejected', message);
  }
}

/**
 * Uses any service with OpenAI's `POST /chat/completions`, through the AI SDK. The SDK is loaded with the first
 * question and never gets the key. Its errors are not passed on, because they contain the request.
 */
export class ChatModel {
  readonly #options: ChatModelOptions;
  readonly #endpoint: ServiceEndpoint;
  #dialect: Dialect = { limitName: 'max_tokens', format: 'json_schema' };
  #sdk: ReturnType<typeof loadSdk> | undefined;

  constructor(options: ChatModelOptions) {
    this.#options = options;
    const { baseUrl, apiKey, timeoutMs } = options;
    this.#endpoint = new ServiceEndpoint({
      service: 'extraction model',
      baseUrl,
      path: '/chat/completions',
      apiKey,
      timeoutMs,
      maxAnswerBytes,
      toError,
    });
  }

  /** Origin and path, safe to show. */
  get address(): string {
    return this.#endpoint.address;
  }

  /** Rejects with `unavailable` or `rejected`, or with the signal's reason. */
  async ask(question: Question, signal: AbortSignal): Promise<{ answer: Answer } | { fault: string }> {
    let dialect = this.#dialect;
    for (;;) {
      try {
        const read = await this.#askIn(dialect, question, signal);
        this.#dialect = dialect;
        return read;
      } catch (error) {
        const other = otherDialect(dialect, error);
        if (other === undefined) throw error;
        dialect = other;
      }
    }
  }

  async #askIn(
    dialect: Dialect,
    { instructions, document, fault }: Question,
    signal: AbortSignal,
  ): Promise<{ answer: Answer } | { fault: string }> {
    this.#sdk ??= loadSdk();
    const { ai, createOpenAICompatible } = await this.#sdk;
    signal.throwIfAborted();
    const endpoint = createOpenAICompatible({
      name: 'extractor',
      baseURL: 'http://localhost',
      supportsStructuredOutputs: true,
      transformRequestBody: (body) => inDialect(dialect, body),
      fetch: (_, request) => this.#send(String(request?.body), signal),
    });
    let misfit = 'it is not one JSON object';
    const schema = ai.jsonSchema<Answer>(answerSchema, {
      validate(value) {
        const read = readAnswer(value);
        if ('answer' in read) return { success: true, value: read.answer };
        misfit = read.fault;
        return { success: false, error: new Error(misfit) };
      },
    });
    const form =
      dialect.format === 'json_schema'
        ? ''
        : `\n\nAnswer with one JSON object that fits this schema:\n${JSON.stringify(answerSchema)}`;
    try {
      const { output } = await ai.generateText({
        model: ai.wrapLanguageModel({
          model: endpoint.chatModel(this.#options.model),
          middleware: ai.extractJsonMiddleware({ transform: withoutTrimmings }),
        }),
        system: instructions + form,
        messages: [
          { role: 'user', content: document },
          ...(fault === undefined ? [] : [{ role: 'user' as const, content: toReminder(fault) }]),
        ],
        output: ai.Output.object({ schema, name: 'memories' }),
        maxOutputTokens: this.#options.maxOutputTokens,
        maxRetries: 0,
        abortSignal: signal,
        experimental_telemetry: { isEnabled: false },
      });
      return { answer: output };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ExtractorError) throw error;
      return { fault: misfit };
    }
  }

  async #send(body: string, signal: AbortSignal): Promise<Response> {
    const text = await retry(this.#options.retry, signal, () => this.#endpoint.post(body, signal));
    return new Response(text, { headers: { 'content-type': 'application/json' } });
  }
}

async function loadSdk() {
  const [ai, { createOpenAICompatible }] = await Promise.all([import('ai'), import('@ai-sdk/openai-compatible')]);
  return { ai, createOpenAICompatible };
}

function inDialect({ limitName, format }: Dialect, body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens: limit, response_format: strict, ...rest } = body;
  return { ...rest, [limitName]: limit, response_format: format === 'json_schema' ? strict : { type: format } };
}

/**
 * Newer OpenAI models accept only the longer name of the limit; other services do not support schemas. Returns
 * undefined if neither explains the rejection.
 */
function otherDialect(dialect: Dialect, error: unknown): Dialect | undefined {
  if (!(error instanceof RequestRejected && (error.status === badRequest || error.status === unprocessable))) {
    return undefined;
  }
  if (error.parameter === 'max_tokens' && dialect.limitName === 'max_tokens') {
    return { ...dialect, limitName: 'max_completion_tokens' };
  }
  return dialect.format === 'json_schema' ? { ...dialect, format: 'json_object' } : undefined;
}

/** Removes the reasoning and the code fence that less capable models put around their answer. */
function withoutTrimmings(text: string): string {
  return text
    .replace(/^\s*<think>[\s\S]*?<\/think>/u, '')
    .trim()
    .replace(/^```(?:json)?\s*/u, '')
    .replace(/\s*```$/u, '');
}

function toReminder(fault: string): string {
  return `Your last answer could not be read: ${fault}. Answer again, with nothing but the JSON object that was asked for.`;
}

function toError({ code, message, status, parameter, retryAfterMs }: ServiceFault): ExtractorError {
  return code === 'rejected'
    ? new RequestRejected(message, status, parameter)
    : new ExtractorError(code, message, retryAfterMs);
}
