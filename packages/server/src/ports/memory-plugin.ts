import type { Json } from '@memhall/core';
import type { Trust } from './memory-origin.js';
import type { OffTheRecord } from './off-the-record.js';

/** Optional abilities of a plugin. A plugin reports only those that work right now. */
export const pluginCapabilities = ['embedding', 'fts', 'ttl', 'pin', 'propagation'] as const;
export type PluginCapability = (typeof pluginCapabilities)[number];

export const namespaceKinds = ['workspace', 'team', 'org', 'custom'] as const;
export type NamespaceKind = (typeof namespaceKinds)[number];

export const pluginMemoryKinds = ['fact', 'summary', 'checkpoint'] as const;
export type PluginMemoryKind = (typeof pluginMemoryKinds)[number];

export const pluginMemorySources = ['agent', 'runtime', 'user'] as const;
export type PluginMemorySource = (typeof pluginMemorySources)[number];

/** Pattern of a namespace name: 1 to 256 characters in total. */
export const namespacePattern = '^[a-z]+:[A-Za-z0-9_:.\\-]+$';
export const maxNamespaceLength = 256;

/** The user a plugin is called for, and the identity of the call in logs and audit. */
export interface PluginCall {
  /** External plugins do not know about tenants: the caller must make sure that the data belongs to this one. */
  tenantId: string;
  /** The author of the written text; '' if it has no particular author. */
  userId: string;
  actor: { userId: string | null; serviceId: string | null; roles: readonly ('service' | 'admin' | 'operator')[] };
  operation: string;
  requestId: string;
  /** Caps the trust of what is written. Plugin v1 has no field for it: an outside plugin does not get it. */
  maxTrust?: Trust | undefined;
  /** A call that is off the record never reaches an outside plugin. */
  offTheRecord?: OffTheRecord | undefined;
  /** When the request arrived, by `performance.now()`. */
  since?: number;
  /** Ends the call early; it then rejects with the signal's reason. A write in progress may have happened or not. */
  signal?: AbortSignal | undefined;
}

export interface PluginHealth {
  status: 'ok' | 'degraded';
  version: string;
  /** Without duplicates. Empty while the store is down. */
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
  /** UUID. If given, it replaces every field of the memory with this id except its creation time. */
  id?: string | undefined;
  /** Secrets must already be removed: plugins do not redact. */
  content: string;
  kind: PluginMemoryKind;
  source: PluginMemorySource;
  expiresAt?: Date | undefined;
  /** Stored and returned unchanged. */
  propagation?: Json | undefined;
  isPinned?: boolean | undefined;
  embedding?: readonly number[] | undefined;
}

export interface PluginSearch {
  /** At least one, all well-formed. Unknown namespaces are ignored. */
  namespaces: readonly string[];
  query?: string | undefined;
  /** All kinds if missing or empty. */
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
  /** Only set if the search had a query or an embedding. */
  score?: number | undefined;
}

/**
 * Stores the memories of namespaces: Memhall itself, or any service that implements memory plugin v1.
 *
 * Callers must pass well-formed names and ids. A plugin's refusal is a Problem: INVALID_REQUEST, NOT_FOUND or
 * FORBIDDEN. Calls fail with UNAVAILABLE if the plugin cannot be reached, fails, or sends an invalid response; it is
 * then unknown whether a write happened. Calls are not retried. Safe for concurrent calls.
 */
export interface MemoryPlugin {
  /** Whether every change is already in the audit log when a call resolves, written in the same transaction. */
  readonly keepsAudit: boolean;

  /** Resolves with `degraded`, and does not reject, if the plugin itself reports that its store is down. */
  health(call: PluginCall): Promise<PluginHealth>;

  /** Creates a namespace or replaces all its properties; its memories stay. Idempotent. */
  putNamespace(call: PluginCall, namespace: NewPluginNamespace): Promise<PluginNamespace>;

  /** undefined keeps a value, null clears it. Fails with NOT_FOUND if the namespace does not exist or has expired. */
  updateNamespace(
    call: PluginCall,
    name: string,
    change: { expiresAt?: Date | null | undefined; metadata?: { [key: string]: Json } | null | undefined },
  ): Promise<PluginNamespace>;

  /** Deletes its memories as well. Fails with NOT_FOUND if the namespace does not exist or has expired. */
  deleteNamespace(call: PluginCall, name: string): Promise<void>;

  /**
   * Stores a memory. It is durable and can be found by its words when the call resolves. Returns its id: the given one,
   * or a new UUID. Fails with NOT_FOUND if the namespace does not exist, and with FORBIDDEN if the id belongs to
   * another namespace.
   */
  commit(call: PluginCall, namespace: string, memory: NewPluginMemory): Promise<string>;

  /**
   * Compares an embedding by cosine and matches any word of a query; if both are given, the results are fused. Without
   * either, pinned memories come first, then the newest. Results are ordered best first, with pinned matches before
   * others. Never returns expired memories, nor memories of an expired namespace.
   */
  search(call: PluginCall, search: PluginSearch): Promise<PluginMemory[]>;

  /**
   * Removes a memory permanently. Fails with FORBIDDEN if it belongs to another namespace, and with NOT_FOUND if it
   * does not exist.
   */
  forget(call: PluginCall, id: string, namespace: string): Promise<void>;
}
