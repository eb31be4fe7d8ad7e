import type { GatewayConfiguration } from '../configuration/memory-configuration.js';
import { type GatewayFailureCategory, type GatewayOperation, MemoryGatewayError } from './memory-gateway-error.js';
import { isObject, type MemoryReference, readReferences } from './memory-reference.js';
import { readBounded } from './read-bounded.js';

export interface GatewayMessage {
  sender_id: string;
  role: 'user' | 'assistant';
  /** Unix time in milliseconds. */
  timestamp: number;
  content: string;
}

export interface GatewaySearch {
  conversationId: string;
  query: string;
}

/** A hundred results of 32 kB each, with room to spare. A larger response is treated as malformed. */
const maxAnswerBytes = 4 * 1024 * 1024;
const unauthorized = 401;

/**
 * Client for a memory gateway. Never retries: retrying an add whose response was lost would store the turn twice.
 * Rejects with MemoryGatewayError or with the signal's reason. Never follows redirects, which would send the key
 * elsewhere. Redacts the key from all texts that are sent or returned.
 */
export class MemoryGatewayClient {
  readonly #configuration: GatewayConfiguration;
  readonly #fetch: typeof fetch;

  constructor(configuration: GatewayConfiguration, options: { fetch?: typeof fetch } = {}) {
    this.#configuration = configuration;
    this.#fetch = options.fetch ?? ((...request) => fetch(...request));
  }

  /** Returns the best match first. Results are reduced to what a model may see. */
  async search({ conversationId, query }: GatewaySearch, signal?: AbortSignal): Promise<MemoryReference[]> {
    const { scope, topK, userId, userKey } = this.#configuration;
    const request = { conversation_id: conversationId, query: userKey.redactFrom(query), scope, top_k: topK };
    const { answer, status } = await this.#post('search', request, signal);
    const references = readReferences(answer, userId);
    if (references === undefined) throw new MemoryGatewayError({ operation: 'search', category: 'malformed', status });
    return userKey.redactFrom(references);
  }

  async add(sessionId: string, messages: readonly GatewayMessage[], signal?: AbortSignal): Promise<void> {
    const request = { session_id: sessionId, messages: this.#configuration.userKey.redactFrom(messages) };
    await this.#postForObject('add', request, signal);
  }

  /** Makes the gateway extract memories from the added messages. */
  async flush(sessionId: string, signal?: AbortSignal): Promise<void> {
    await this.#postForObject('flush', { session_id: sessionId }, signal);
  }

  async #postForObject(operation: GatewayOperation, request: object, signal: AbortSignal | undefined): Promise<void> {
    const { answer, status } = await this.#post(operation, request, signal);
    if (!isObject(answer)) throw new MemoryGatewayError({ operation, category: 'malformed', status });
  }

  async #post(
    operation: GatewayOperation,
    request: object,
    signal: AbortSignal | undefined,
  ): Promise<{ answer: unknown; status: number }> {
    const { baseUrl, userId, userKey, appId, projectId, timeoutSeconds } = this.#configuration;
    const timeout = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000));
    const fail = (category: GatewayFailureCategory, status?: number): never => {
      signal?.throwIfAborted();
      throw new MemoryGatewayError({ operation, category, ...(status === undefined ? {} : { status }) });
    };
    const exchange = async () => {
      const response = await this.#fetch(`${baseUrl}/memories/${operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({
          user_id: userId,
          user_key: userKey.reveal(),
          app_id: appId,
          project_id: projectId,
          ...request,
        }),
        redirect: 'manual',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      return { response, text: await readBounded(response, maxAnswerBytes) };
    };
    const { response, text } = await exchange().catch(() => fail(timeout.aborted ? 'timeout' : 'connection'));
    const { status, ok } = response;
    if (!ok) fail(status === unauthorized ? 'unauthorized' : 'http', status);
    try {
      return { answer: JSON.parse(text ?? ''), status };
    } catch {
      return fail('malformed', status);
    }
  }
}
