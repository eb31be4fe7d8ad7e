import { uuidv7 } from '@memhall/core';
import type { Caller } from '../../engine/caller.js';
import type { Engine } from '../../engine/engine.js';

export interface PluginServices {
  engine: Engine;
  /** Whose namespaces the listener serves. */
  tenantId: string;
}

/** The plugin knows namespaces and no users: who may use which is the host's business. */
export function callerFor({ tenantId }: PluginServices, operation: string, namespaces: readonly string[]): Caller {
  const actor = { userId: null, serviceId: 'memory-plugin', roles: [] };
  return { tenantId, userId: '', namespaces, actor, operation, requestId: uuidv7() };
}
