import { uuidv7 } from '@memhall/core';
import type { MemoryPlugin, PluginCall } from '../../ports/memory-plugin.js';

export interface PluginServices {
  plugin: MemoryPlugin;
  /** Whose namespaces the listener serves. */
  tenantId: string;
}

/** The listener knows no users. */
export function callFor({ tenantId }: PluginServices, operation: string): PluginCall {
  const actor = { userId: null, serviceId: 'memory-plugin', roles: [] };
  return { tenantId, userId: '', actor, operation, requestId: uuidv7() };
}
