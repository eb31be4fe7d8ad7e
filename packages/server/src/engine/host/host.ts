import { Problem } from '@memhall/core';
import type { MemoryPlugin, PluginCapability } from '../../ports/memory-plugin.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkDate } from '../memories/memory-input.js';
import type { Member } from '../one-memory/member.js';
import type { NamespaceGrant } from '../one-memory/namespace-grants.js';
import type { NamespaceMaker } from '../plugin/namespace-maker.js';
import type { CapabilityWatch } from './capability-watch.js';
import type { VectorSource } from './vector-source.js';

/**
 * Mediates between agents and the memory plugin in use. Access control, redaction, blocking, marking and auditing are
 * decided here and nowhere else: a plugin is not trusted with them. Its use cases are plain functions: `(host, caller,
 * input)`.
 */
export interface Host {
  engine: Engine;
  plugin: MemoryPlugin;
  capabilities: CapabilityWatch;
  namespaces: NamespaceMaker;
  /** The one tenant whose memories the plugin stores; null if the plugin separates tenants itself. */
  tenantId: string | null;
  /** What computes the vectors of the plugin's memories. */
  vectorSource: VectorSource;
}

export interface HostCaller extends Member {
  /** Ends a call early. */
  signal?: AbortSignal | undefined;
}

/** Returns whether an outside plugin stores memories of the caller's tenant. Other tenants have the engine alone. */
export function usesOutsidePlugin({ tenantId }: Host, caller: Caller): boolean {
  return tenantId === caller.tenantId;
}

/** Throws FORBIDDEN if the plugin stores the memories of another tenant. */
export function checkTenant({ tenantId }: Host, caller: Caller): void {
  if (tenantId === null || tenantId === caller.tenantId) return;
  throw new Problem('FORBIDDEN', 'The memory plugin in use serves another tenant.');
}

/** Returns the namespace to write to: the named one, or the caller's own workspace. Throws FORBIDDEN. */
export function writableNamespace({ grants }: HostCaller, name: string | undefined): NamespaceGrant {
  const grant = name === undefined ? grants[0] : grants.find((candidate) => candidate.name === name);
  if (grant?.isWritable) return grant;
  const writable = grants.filter(({ isWritable }) => isWritable).map((candidate) => candidate.name);
  throw new Problem('FORBIDDEN', 'This token does not allow writing to that namespace.', { details: { writable } });
}

/** Throws INVALID_REQUEST. */
export function checkExpiry({ clock }: Engine, expiresAt: Date): void {
  checkDate('expires_at', expiresAt);
  if (expiresAt > clock.now()) return;
  throw new Problem('INVALID_REQUEST', '"expires_at" is in the past: choose a later time or omit it.');
}

/** Throws INVALID_REQUEST if the plugin lacks the capability. */
export function needCapability({ capabilities }: Host, capability: PluginCapability, parameter: string): void {
  if (capabilities.has(capability)) return;
  throw new Problem(
    'INVALID_REQUEST',
    `The memory plugin in use does not support "${capability}": omit ${parameter}.`,
    {
      details: { parameter, capability },
    },
  );
}
