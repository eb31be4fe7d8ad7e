import { modelContextProtocolRoutes } from './generated/operations.js';
import { MemhallError } from './memhall-error.js';
import { type CallOptions, type ClientOptions, Transport } from './transport.js';

export type AgentMemoryKind = 'fact' | 'summary' | 'checkpoint';

export interface AgentMemoryClientOptions extends ClientOptions {
  /** The user that a service token acts for. Default: the token's own user. */
  userId?: string;
}

export interface NewSummary {
  content: string;
  /** Default: the namespace of the token's workspace. */
  namespace?: string;
  /** RFC 3339. Default for a summary: in 30 days. */
  expires_at?: string;
}

export interface NewAgentMemory extends NewSummary {
  kind?: AgentMemoryKind;
  pin?: boolean;
  /** Any JSON object to keep with the memory. The member `legacy` is reserved. */
  propagation?: { [member: string]: unknown };
}

export interface CommittedMemory {
  memory_id: string;
  namespace: string;
  expires_at?: string;
  /** Number of secrets that were redacted before the memory was stored. */
  redactions: number;
}

export interface AgentMemorySearch {
  /** Without a query, pinned memories come first, then the newest. */
  query?: string;
  /** Namespaces that the token may not read are ignored. Default: everything the token may read, in namespaces and elsewhere. */
  namespaces?: string[];
  /** Kinds of memories, such as `fact`, `note` or `tier`. */
  kinds?: string[];
  /** 1 to 100, default 20. */
  limit?: number;
}

export interface FoundMemories {
  memories: {
    memory_id: string;
    namespace?: string;
    kind: string;
    content: string;
    /** Where it comes from, when, and who wrote it, in words. */
    from: string;
    /** Whether it is the user's own, and not somebody else's words. */
    own: boolean;
    trust: 'user' | 'operator' | 'agent' | 'tool' | 'external';
    origin: {
      surface: string;
      /** Empty if it is not known. */
      author: string;
      role?: string;
      namespace?: string;
      session_id?: string;
      document?: { namespace: string; path: string; pointer: string };
      resource?: { resource_id: string; title: string | null };
      tier?: { owner: string; label: string };
    };
    occurred_at: string;
    created_at: string;
    expires_at?: string;
    pinned?: boolean;
    propagation?: { [member: string]: unknown };
    score?: number;
  }[];
  /** Number of further matches that were left out because the result would be too long. */
  omitted?: number;
  /** The server's memory plugin did not answer: its memories are missing. */
  incomplete?: boolean;
}

interface MemoryCorrection {
  memory_id: string;
  content?: string;
  pin?: boolean;
  /** RFC 3339; null removes the expiry. */
  expires_at?: string | null;
  tags?: string[];
}

interface CorrectedMemory {
  memory_id: string;
  namespace?: string;
  kind: string;
  trust: 'user' | 'operator' | 'agent' | 'tool' | 'external';
  expires_at?: string;
  /** Number of secrets that were redacted before the memory was stored. */
  redactions: number;
}

export interface Namespaces {
  namespaces: { name: string; kind: string; writable: boolean }[];
}

interface ToolResult {
  isError?: boolean;
  content?: { text: string }[];
  structuredContent?: unknown;
}

/**
 * Client for agent memory, in the server's own store or in its configured memory plugin. Has one method for each tool
 * that models can call over MCP.
 *
 * @example
 * const memory = new AgentMemoryClient({ baseUrl: 'http://127.0.0.1:8010', token });
 * await memory.commitMemory({ content: 'Releases are cut on Thursdays.' });
 * const { memories } = await memory.searchMemory({ query: 'When do we release?' });
 */
export class AgentMemoryClient {
  readonly #transport: Transport;
  readonly #query: { user_id?: string };

  constructor({ userId, ...options }: AgentMemoryClientOptions) {
    this.#transport = new Transport(options, modelContextProtocolRoutes);
    this.#query = userId === undefined ? {} : { user_id: userId };
  }

  commitMemory(memory: NewAgentMemory, options?: CallOptions): Promise<CommittedMemory> {
    return this.#call('commit_memory', memory, options);
  }

  commitSummary(summary: NewSummary, options?: CallOptions): Promise<CommittedMemory> {
    return this.#call('commit_summary', summary, options);
  }

  searchMemory(search: AgentMemorySearch = {}, options?: CallOptions): Promise<FoundMemories> {
    return this.#call('search_memory', search, options);
  }

  /** Changes a memory of any surface. What is left out stays. */
  updateMemory(correction: MemoryCorrection, options?: CallOptions): Promise<CorrectedMemory> {
    return this.#call('update_memory', correction, options);
  }

  /** Deletes the memory permanently. Rejects with NOT_FOUND if it does not exist, or not in the given namespace. */
  forgetMemory(memory: { memory_id: string; namespace?: string }, options?: CallOptions): Promise<void> {
    return this.#call('forget_memory', memory, options);
  }

  listNamespaces(options?: CallOptions): Promise<Namespaces> {
    return this.#call('list_namespaces', {}, options);
  }

  listReadableNamespaces(options?: CallOptions): Promise<Namespaces> {
    return this.#call('list_readable_namespaces', {}, options);
  }

  listWritableNamespaces(options?: CallOptions): Promise<Namespaces> {
    return this.#call('list_writable_namespaces', {}, options);
  }

  async #call<T>(name: string, input: object, options?: CallOptions): Promise<T> {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
    const { status, answer } = await this.#transport.call('mcp.post', { path: {}, query: this.#query, body }, options);
    const { result } = (answer ?? {}) as { result?: ToolResult };
    if (result?.isError) throw toError(status, result.content?.[0]?.text ?? '');
    if (result?.structuredContent === undefined) {
      throw new MemhallError({ code: 'PROTOCOL', status, message: `The server sent no result for ${name}.` });
    }
    return result.structuredContent as T;
  }
}

function toError(status: number, text: string): MemhallError {
  const { error } = JSON.parse(text);
  const { code, message, details, request_id: requestId, retry_after_seconds: retryAfterSeconds } = error;
  return new MemhallError({ code, message, status, details, requestId, retryAfterSeconds });
}
