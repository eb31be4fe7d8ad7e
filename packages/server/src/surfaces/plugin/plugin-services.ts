import { uuidv7 } from '@memhall/core';
import type { RouteRequest } from '../../http/route.js';
import type { MemoryPlugin, PluginCall } from '../../ports/memory-plugin.js';

export interface PluginServices {
  plugin: MemoryPlugin;
  /** Tenant that owns the namespaces of the listener. */
  tenantId: string;
}

/** The plugin listener has no users. */
export function callFor(
  { tenantId }: PluginServices,
  operation: string,
  { offTheRecord }: Partial<Pick<RouteRequest, 'offTheRecord'>> = {},
): PluginCall {
  const actor = { userId: null, serviceId: 'memory-plugin', roles: [] };
  return { tenantId, userId: '', actor, operation, requestId: uuidv7(), offTheRecord };
}
