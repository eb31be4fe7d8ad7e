import type { Json } from '@memhall/core';

/** What a plugin may be able to do. Only what works right now is told. */
export const pluginCapabilities = ['embedding', 'fts', 'ttl', 'pin', 'propagation'] as const;
export type PluginCapability = (typeof pluginCapabilities)[number];

export const namespaceKinds = ['workspace', 'team', 'org', 'custom'] as const;
export type NamespaceKind = (typeof namespaceKinds)[number];

export const pluginMemoryKinds = ['fact', 'summary', 'checkpoint'] as const;
export type PluginMemoryKind = (typeof pluginMemoryKinds)[number];

export const pluginMemorySources = ['agent', 'runtime', 'user'] as const;
export type PluginMemorySource = (typeof pluginMemorySources)[number];

/** A namespace's name: 1 to 256 characters in all. */
export const namespacePattern = '^[a-z]+:[A-Za-z0-9_:.\\-]+$';
export const maxNamespaceLength = 256;

/** For whom a plugin is called, and how the call is known in logs and audit. */
export interface PluginCall {
  /** Plugins outside know no tenants: whoever calls them has made sure that this is theirs. */
  tenantId: string;
  /** Whose words are written; '': nobody's in particular. */
  userId: string;
  actor: { userId: string | null; serviceId: string | null; roles: readonly ('service' | 'admin' | 'operator')[] };
  operation: string;
  requestId: string;
  /** When the request came in, by `performance.now()`. */
  since?: number;
  /** Ends the call early; it then rejects with the signal's reason. What was under way may have happened or not. */
  signal?: AbortSignal | undefined;
}

export interface PluginHealth {
  status: 'ok' | 'degraded';
  version: string;
  /** Without repetitions. Empty while the store is down. */
  capabilities: readonly PluginCapability[];
}

export interface NewPluginNamespace {
  name: string;
  kind: NamespaceKind;
  expiresAt: Date | null;
  metadata: { [key: string]: Json } | null;
}

export interface PluginNamespace extends Omit<NewPluginNamespace, 'kind'> {
  kind: string;
  createdAt: Date;
}

export interface NewPluginMemory {
  /** UUID. Given: the memory with this id is replaced, every field but the time it was made. */
  id?: string | undefined;
  /** Already without secrets: no plugin redacts. */
  content: string;
  kind: PluginMemoryKind;
  source: PluginMemorySource;
  expiresAt?: Date | undefined;
  /** Kept and given back as it is. */
  propagation?: Json | undefined;
  isPinned?: boolean | undefined;
  embedding?: readonly number[] | undefined;
}

export interface PluginSearch {
  /** At least one, all of valid form. Those that do not exist add nothing. */
  namespaces: readonly string[];
  query?: string | undefined;
  /** None or empty: all. */
  kinds?: readonly PluginMemoryKind[] | undefined;
  /** 1 … 100. */
  limit: number;
  embedding?: readonly number[] | undefined;
}

export interface PluginMemory {
  id: string;
  namespace: string;
  content: string;
  kind: string;
  source: string;
  expiresAt: Date | null;
  propagation: Json | null;
  isPinned: boolean;
  createdAt: Date;
  /** Only where something was asked for. */
  score?: number | undefined;
}

/**
 * Where memories of namespaces are kept: Memhall itself, or any service that speaks memory plugin v1.
 *
 * Names and ids are taken to be of valid form. What a plugin says no to is a Problem: INVALID_REQUEST, NOT_FOUND or FORBIDDEN.
 * UNAVAILABLE when it cannot be reached, fails, or answers something that is no answer; whether a write happened is then not
 * known. Nothing is tried twice. Safe for concurrent calls.
 */
export interface MemoryPlugin {
  /** Whether every change is in the audit log already when a call answers, made in the same transaction. */
  readonly keepsAudit: boolean;

  /** Answers `degraded`, and does not reject, when the plugin says itself that its store is down. */
  health(call: PluginCall): Promise<PluginHealth>;

  /** Makes a namespace or replaces all that is said about it; its memories stay. Twice is once. */
  putNamespace(call: PluginCall, namespace: NewPluginNamespace): Promise<PluginNamespace>;

  /** undefined stays as it is, null is cleared. NOT_FOUND when there is none, or it has expired. */
  updateNamespace(
    call: PluginCall,
    name: string,
    change: { expiresAt?: Date | null | undefined; metadata?: { [key: string]: Json } | null | undefined },
  ): Promise<PluginNamespace>;

  /** With all its memories. NOT_FOUND when there is none, or it has expired. */
  deleteNamespace(call: PluginCall, name: string): Promise<void>;

  /**
   * Stores a memory; durable and found by its words when it answers. Answers its id: the given one, else a fresh UUID.
   * NOT_FOUND when there is no such namespace; FORBIDDEN when the id lives in another one.
   */
  commit(call: PluginCall, namespace: string, memory: NewPluginMemory): Promise<string>;

  /**
   * An embedding is compared by cosine, a query by words of which any may match, both are fused; without either, pinned
   * first, then newest. Best first, pinned ones before others that match. Never gives back what has expired, nor anything
   * of a namespace that has.
   */
  search(call: PluginCall, search: PluginSearch): Promise<PluginMemory[]>;

  /** Removes a memory for good. FORBIDDEN when it lives in another namespace, NOT_FOUND when nowhere. */
  forget(call: PluginCall, id: string, namespace: string): Promise<void>;
}
