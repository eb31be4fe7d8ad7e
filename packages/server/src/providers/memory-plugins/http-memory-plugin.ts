import { type Json, Problem } from '@memhall/core';
import {
  type MemoryPlugin,
  type NewPluginMemory,
  type NewPluginNamespace,
  type PluginCall,
  type PluginHealth,
  type PluginMemory,
  type PluginNamespace,
  type PluginSearch,
  pluginCapabilities,
} from '../../ports/memory-plugin.js';
import { PluginConnection, type PluginConnectionOptions } from './plugin-connection.js';

interface WireNamespace {
  name: string;
  kind: string;
  expires_at?: string | null;
  metadata?: { [key: string]: Json } | null;
  created_at: string;
}

interface WireMemory {
  id: string;
  namespace: string;
  content: string;
  kind: string;
  source: string;
  expires_at?: string | null;
  propagation?: Json;
  pin?: boolean;
  created_at: string;
  score?: number;
}

/** Any memory plugin v1 behind `http://…`, `https://…` or `unix:/…`. */
export class HttpMemoryPlugin implements MemoryPlugin {
  readonly keepsAudit = false;
  readonly #connection: PluginConnection;

  constructor(options: PluginConnectionOptions) {
    this.#connection = new PluginConnection(options);
  }

  async health({ signal }: PluginCall): Promise<PluginHealth> {
    const { status, body } = await this.#connection.send('GET', '/v1/health', undefined, signal);
    const health = body as Partial<PluginHealth> | undefined;
    // A degraded plugin says so with 503 and the same body.
    if ((status !== 200 && status !== 503) || !Array.isArray(health?.capabilities)) throw toProblem(status);
    return {
      status: status === 200 && health.status === 'ok' ? 'ok' : 'degraded',
      version: String(health.version ?? ''),
      capabilities: pluginCapabilities.filter((name) => health.capabilities?.includes(name)),
    };
  }

  async putNamespace({ signal }: PluginCall, namespace: NewPluginNamespace): Promise<PluginNamespace> {
    const { name, kind, expiresAt, metadata } = namespace;
    return fromWireNamespace(await this.#call('PUT', pathOf(name), { kind, ...toExpiry(expiresAt), metadata }, signal));
  }

  async updateNamespace(
    { signal }: PluginCall,
    name: string,
    change: { expiresAt?: Date | null | undefined; metadata?: { [key: string]: Json } | null | undefined },
  ): Promise<PluginNamespace> {
    const metadata = change.metadata === undefined ? {} : { metadata: change.metadata ?? {} };
    const body = { ...toExpiry(change.expiresAt), ...metadata };
    return fromWireNamespace(await this.#call('PATCH', pathOf(name), body, signal));
  }

  async deleteNamespace({ signal }: PluginCall, name: string): Promise<void> {
    await this.#call('DELETE', pathOf(name), undefined, signal);
  }

  async commit({ signal }: PluginCall, namespace: string, memory: NewPluginMemory): Promise<string> {
    const { expiresAt, isPinned, ...rest } = memory;
    const body = { ...rest, ...toExpiry(expiresAt), ...(isPinned === undefined ? {} : { pin: isPinned }) };
    const { id } = (await this.#call('POST', `${pathOf(namespace)}/memories`, body, signal)) as { id?: unknown };
    if (typeof id !== 'string') throw noAnswer();
    return id;
  }

  async search({ signal }: PluginCall, search: PluginSearch): Promise<PluginMemory[]> {
    const { memories } = (await this.#call('POST', '/v1/search', search, signal)) as { memories?: WireMemory[] };
    if (!Array.isArray(memories)) throw noAnswer();
    return memories.map(fromWireMemory);
  }

  async forget({ signal }: PluginCall, id: string, namespace: string): Promise<void> {
    const path = `/v1/memories/${encodeURIComponent(id)}`;
    await this.#call('DELETE', path, { requested_by_namespace: namespace }, signal);
  }

  close(): void {
    this.#connection.close();
  }

  async #call(method: string, path: string, body: unknown, signal: AbortSignal | undefined): Promise<object> {
    const answer = await this.#connection.send(method, path, body, signal);
    if (answer.status < 200 || answer.status >= 300) throw toProblem(answer.status);
    return typeof answer.body === 'object' && answer.body !== null ? answer.body : {};
  }
}

function pathOf(namespace: string): string {
  return `/v1/namespaces/${encodeURIComponent(namespace)}`;
}

function toExpiry(expiresAt: Date | null | undefined): { expires_at?: string | null } {
  return expiresAt === undefined ? {} : { expires_at: expiresAt?.toISOString() ?? null };
}

/** By the status alone: what a plugin says in words could repeat content. */
function toProblem(status: number): Problem {
  const message = `The memory plugin answered ${status}.`;
  if (status === 404) return new Problem('NOT_FOUND', message);
  if (status === 401 || status === 403) return new Problem('FORBIDDEN', message);
  const isRefusal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return new Problem(isRefusal ? 'INVALID_REQUEST' : 'UNAVAILABLE', message);
}

function noAnswer(): Problem {
  return new Problem('UNAVAILABLE', 'The memory plugin answered something that is no answer.');
}

function fromWireNamespace(answer: object): PluginNamespace {
  const { name, kind, expires_at, metadata, created_at } = answer as WireNamespace;
  if (typeof name !== 'string') throw noAnswer();
  return {
    name,
    kind,
    expiresAt: expires_at == null ? null : new Date(expires_at),
    metadata: metadata ?? null,
    createdAt: new Date(created_at),
  };
}

function fromWireMemory(wire: WireMemory): PluginMemory {
  if (typeof wire?.id !== 'string' || typeof wire.content !== 'string') throw noAnswer();
  const { id, namespace, content, kind, source, expires_at, propagation, pin, created_at, score } = wire;
  return {
    ...{ id, namespace, content, kind, source },
    expiresAt: expires_at == null ? null : new Date(expires_at),
    propagation: propagation ?? null,
    isPinned: pin ?? false,
    createdAt: new Date(created_at),
    ...(score === undefined ? {} : { score }),
  };
}
