import { Problem } from '@memhall/core';
import type { MemoryPlugin, PluginCapability } from '../../ports/memory-plugin.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import type { NamespaceMaker } from '../plugin/namespace-maker.js';
import type { TierOwners } from '../tiers/tier-place.js';
import type { CapabilityWatch } from './capability-watch.js';
import type { NamespaceGrant } from './namespace-grants.js';

/**
 * Stands between agents and the memory plugin in use. Who may read and write what, what is redacted, blocked, marked and
 * audited is decided here and nowhere else: a plugin is not trusted with it. Its use cases are plain functions:
 * `(host, caller, input)`.
 */
export interface Host {
  engine: Engine;
  plugin: MemoryPlugin;
  capabilities: CapabilityWatch;
  namespaces: NamespaceMaker;
  /** The one tenant whose memories the plugin holds; null: it keeps tenants apart itself. */
  tenantId: string | null;
  /** Whether vectors are made here and sent along. */
  sendsVectors: boolean;
}

export interface HostCaller extends Caller {
  grants: readonly NamespaceGrant[];
  /** Whose notes it reads and writes. */
  tiers: TierOwners & { workspaceId: string };
  /** Ends a call early. */
  signal?: AbortSignal | undefined;
}

/** Throws FORBIDDEN when the plugin holds the memories of another tenant. */
export function checkTenant({ tenantId }: Host, caller: Caller): void {
  if (tenantId === null || tenantId === caller.tenantId) return;
  throw new Problem('FORBIDDEN', 'The memory plugin in use here serves another tenant.');
}

/** The namespace to write to: the named one, or that of the caller's own work. Throws FORBIDDEN. */
export function writableNamespace({ grants }: HostCaller, name: string | undefined): NamespaceGrant {
  const grant = name === undefined ? grants[0] : grants.find((candidate) => candidate.name === name);
  if (grant?.isWritable) return grant;
  const writable = grants.filter(({ isWritable }) => isWritable).map((candidate) => candidate.name);
  throw new Problem('FORBIDDEN', 'This token may not write to that namespace.', { details: { writable } });
}

/** Throws INVALID_REQUEST when something is asked for that the plugin cannot do. */
export function needCapability({ capabilities }: Host, capability: PluginCapability, parameter: string): void {
  if (capabilities.has(capability)) return;
  throw new Problem('INVALID_REQUEST', `The memory plugin in use cannot do "${capability}": leave ${parameter} out.`, {
    details: { parameter, capability },
  });
}
