import { type Json, Problem, type ProblemCode } from '@memhall/core';
import type {
  MemoryPlugin,
  NewPluginMemory,
  NewPluginNamespace,
  PluginCall,
  PluginHealth,
  PluginMemory,
  PluginNamespace,
  PluginSearch,
} from '../../ports/memory-plugin.js';
import { CircuitBreaker, type CircuitOptions, type CircuitState } from './circuit-breaker.js';
import { readFound, readHealth, readJson, readNamespace, readWritten } from './plugin-answers.js';
import { BrokenExchange, PluginConnection, type PluginRequest } from './plugin-connection.js';

export interface HttpMemoryPluginOptions {
  /** `http://…`, `https://…` or `unix:/path`. */
  url: string;
  /** Sent as a bearer token. */
  token?: string | undefined;
  timeoutMs?: number;
  maxAnswerBytes?: number;
  circuit?: Partial<CircuitOptions>;
}

const defaults = { timeoutMs: 2000, maxAnswerBytes: 8 * 1024 * 1024 };
const circuitDefaults: CircuitOptions = { failures: 3, openMs: 60_000 };

/** The meaning of the plugin's error statuses. Its own messages are not shown, because they may contain anything. */
const refusals: Record<number, [code: ProblemCode, message: string]> = {
  400: ['INVALID_REQUEST', 'The memory plugin rejected this request.'],
  404: ['NOT_FOUND', 'The memory plugin has no such namespace or memory.'],
  413: ['PAYLOAD_TOO_LARGE', 'The request is too large for the memory plugin: send less.'],
  422: ['INVALID_REQUEST', 'The memory plugin rejected this request.'],
  429: ['QUOTA_EXCEEDED', 'The memory plugin accepts no more requests right now: wait, then continue more slowly.'],
};
const forbidden = 403;
const invalidResponse = 'sent a response that does not conform to memory plugin v1';

/** Uses any service that implements memory plugin v1 over HTTP. */
export class HttpMemoryPlugin implements MemoryPlugin {
  readonly keepsAudit = false;
  readonly #connection: PluginConnection;
  readonly #circuit: CircuitBreaker;

  constructor({ circuit, ...address }: HttpMemoryPluginOptions) {
    this.#connection = new PluginConnection({ ...defaults, ...address });
    this.#circuit = new CircuitBreaker({ ...circuitDefaults, ...circuit });
  }

  get circuitState(): CircuitState {
    return this.#circuit.state;
  }

  close(): void {
    this.#connection.close();
  }

  /**
   * Bypasses the circuit breaker: a healthy status says nothing about other calls, and it must be possible to ask for
   * it at any time.
   */
  async health({ requestId, signal }: PluginCall): Promise<PluginHealth> {
    const { status, text } = await this.#connection
      .exchange({ method: 'GET', path: '/v1/health', requestId, signal })
      .catch(asUnavailable);
    const health = readHealth(readJson(text));
    if (health === undefined || (status !== 200 && status !== 503)) throw unavailable(invalidResponse);
    return status === 503 ? { ...health, status: 'degraded' } : health;
  }

  putNamespace(call: PluginCall, { name, kind, expiresAt, metadata }: NewPluginNamespace): Promise<PluginNamespace> {
    const body = {
      kind,
      ...(expiresAt === null ? {} : { expires_at: expiresAt.toISOString() }),
      ...(metadata === null ? {} : { metadata }),
    };
    return this.#ask(call, { method: 'PUT', path: pathOf(name), body }, (answer) => readNamespace(answer, name));
  }

  updateNamespace(
    call: PluginCall,
    name: string,
    change: { expiresAt?: Date | null | undefined; metadata?: { [key: string]: Json } | null | undefined },
  ): Promise<PluginNamespace> {
    const { expiresAt, metadata } = change;
    const body = {
      ...(expiresAt === undefined ? {} : { expires_at: expiresAt?.toISOString() ?? null }),
      ...(metadata === undefined ? {} : { metadata: metadata ?? {} }),
    };
    return this.#ask(call, { method: 'PATCH', path: pathOf(name), body }, (answer) => readNamespace(answer, name));
  }

  async deleteNamespace(call: PluginCall, name: string): Promise<void> {
    await this.#ask(call, { method: 'DELETE', path: pathOf(name) }, () => true);
  }

  commit(call: PluginCall, namespace: string, memory: NewPluginMemory): Promise<string> {
    const { id, content, kind, source, expiresAt, propagation, isPinned, embedding } = memory;
    const body = {
      ...{ id, content, kind, source, propagation, embedding },
      expires_at: expiresAt?.toISOString(),
      ...(isPinned ? { pin: true } : {}),
    };
    const request = { method: 'POST', path: `${pathOf(namespace)}/memories`, body } as const;
    return this.#ask(call, request, (answer) => readWritten(answer, namespace, id));
  }

  search(call: PluginCall, search: PluginSearch): Promise<PluginMemory[]> {
    const { namespaces, limit } = search;
    const request = { method: 'POST', path: '/v1/search', body: search } as const;
    return this.#ask(call, request, (answer) => readFound(answer, namespaces, limit));
  }

  async forget(call: PluginCall, id: string, namespace: string): Promise<void> {
    const body = { requested_by_namespace: namespace };
    const request = { method: 'DELETE', path: `/v1/memories/${encodeURIComponent(id)}`, body } as const;
    await this.#ask(call, request, () => true);
  }

  /** `read` returns undefined for an invalid response. */
  async #ask<T>(
    { requestId, signal }: PluginCall,
    request: Omit<PluginRequest, 'requestId' | 'signal'>,
    read: (answer: unknown) => T | undefined,
  ): Promise<T> {
    if (!this.#circuit.enter()) throw unavailable('is failing and is not called for a while', this.#circuit.waitMs);
    try {
      const { status, text } = await this.#connection.exchange({ ...request, requestId, signal });
      if (status >= 500) throw new BrokenExchange(`responded with status ${status}`);
      const refusal = status >= 400 ? toRefusal(status) : undefined;
      const answer = status >= 200 && status < 300 ? read(readJson(text)) : undefined;
      if (answer === undefined && refusal === undefined) throw new BrokenExchange(invalidResponse);
      this.#circuit.succeeded();
      if (answer === undefined) throw refusal;
      return answer;
    } catch (error) {
      if (error instanceof BrokenExchange) this.#circuit.failed();
      else if (!(error instanceof Problem)) this.#circuit.abandoned();
      return asUnavailable(error);
    }
  }
}

/** Converts a BrokenExchange; rethrows other errors unchanged. */
function asUnavailable(error: unknown): never {
  throw error instanceof BrokenExchange ? unavailable(error.message) : error;
}

function pathOf(namespace: string): string {
  return `/v1/namespaces/${encodeURIComponent(namespace)}`;
}

function toRefusal(status: number): Problem {
  if (status === forbidden) return new Problem('FORBIDDEN', 'The memory plugin stores this in another namespace.');
  const [code, message] = refusals[status] ?? [
    'UNAVAILABLE',
    `The memory plugin responded with status ${status}: check its configuration.`,
  ];
  return new Problem(code, message);
}

function unavailable(problem: string, waitMs = 1000): Problem {
  return new Problem('UNAVAILABLE', `The memory plugin ${problem}.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
