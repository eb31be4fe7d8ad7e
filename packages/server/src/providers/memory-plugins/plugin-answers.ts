import { isId, type Json } from '@memhall/core';
import {
  maxNamespaceLength,
  namespacePattern,
  type PluginCapability,
  type PluginHealth,
  type PluginMemory,
  type PluginNamespace,
  pluginCapabilities,
} from '../../ports/memory-plugin.js';

/**
 * Reads the responses of a plugin, which are untrusted: anything that does not conform to the contract is read as
 * undefined, and unrequested data is dropped.
 */

type Fields = { [name: string]: unknown };

const namespaceExpression = new RegExp(namespacePattern);

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function readHealth(answer: unknown): PluginHealth | undefined {
  if (!isObject(answer)) return undefined;
  const { status, version, capabilities } = answer;
  if ((status !== 'ok' && status !== 'degraded') || typeof version !== 'string' || !Array.isArray(capabilities)) {
    return undefined;
  }
  // Unknown capabilities may belong to a later version of the contract.
  const known = pluginCapabilities.filter((capability): capability is PluginCapability =>
    capabilities.includes(capability),
  );
  return { status, version: version.slice(0, 64), capabilities: known };
}

export function readNamespace(answer: unknown, name: string): PluginNamespace | undefined {
  if (!isObject(answer) || answer.name !== name || typeof answer.kind !== 'string') return undefined;
  const createdAt = readDate(answer.created_at);
  const expiresAt = answer.expires_at == null ? null : readDate(answer.expires_at);
  const metadata = answer.metadata ?? null;
  if (createdAt === undefined || expiresAt === undefined || !(metadata === null || isObject(metadata))) {
    return undefined;
  }
  return { name, kind: answer.kind, expiresAt, metadata: metadata as { [key: string]: Json } | null, createdAt };
}

/** Returns the id of the written memory, if the namespace and, if given, the id are the requested ones. */
export function readWritten(answer: unknown, namespace: string, id: string | undefined): string | undefined {
  if (!isObject(answer) || !isId(answer.id) || answer.namespace !== namespace) return undefined;
  return id === undefined || answer.id.toLowerCase() === id.toLowerCase() ? answer.id : undefined;
}

/** Drops memories of namespaces that were not requested. */
export function readFound(answer: unknown, asked: readonly string[], limit: number): PluginMemory[] | undefined {
  if (!isObject(answer) || !Array.isArray(answer.memories)) return undefined;
  const found: PluginMemory[] = [];
  for (const one of answer.memories.slice(0, limit)) {
    const memory = readMemory(one);
    if (memory === undefined) return undefined;
    if (asked.includes(memory.namespace)) found.push(memory);
  }
  return found;
}

function readMemory(answer: unknown): PluginMemory | undefined {
  if (!isObject(answer)) return undefined;
  const { id, namespace, content, kind, source, propagation, pin, score } = answer;
  const createdAt = readDate(answer.created_at);
  const expiresAt = answer.expires_at == null ? null : readDate(answer.expires_at);
  if (!isId(id) || !isNamespace(namespace) || typeof content !== 'string' || !isLabel(kind) || !isLabel(source)) {
    return undefined;
  }
  if (createdAt === undefined || expiresAt === undefined || !(pin == null || typeof pin === 'boolean'))
    return undefined;
  if (!(score == null || typeof score === 'number') || !(propagation == null || isObject(propagation)))
    return undefined;
  return {
    ...{ id, namespace, content: content.toWellFormed(), kind, source, expiresAt, createdAt },
    propagation: (propagation as Json | undefined) ?? null,
    isPinned: pin ?? false,
    ...(score == null ? {} : { score }),
  };
}

function readDate(value: unknown): Date | undefined {
  const date = typeof value === 'string' && value.length <= 64 ? new Date(value) : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date;
}

function isObject(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isNamespace(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxNamespaceLength && namespaceExpression.test(value);
}

/** A word that can be shown with a memory. */
function isLabel(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z_]{1,32}$/.test(value);
}
