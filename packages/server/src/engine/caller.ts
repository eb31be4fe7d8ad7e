import { performance } from 'node:perf_hooks';
import { uuidv7 } from '@memhall/core';
import type { Scope } from '../ports/store.js';

export const roles = ['service', 'admin', 'operator'] as const;
export type Role = (typeof roles)[number];

/** Who asks, for whom, and how the request is known in logs and audit. */
export interface Caller {
  tenantId: string;
  /** Whose data the request is about. */
  userId: string;
  /** Namespaces whose memories the caller may use. */
  namespaces?: readonly string[];
  /** Who holds the token; not always the user above. */
  actor: { userId: string | null; serviceId: string | null; roles: readonly Role[] };
  /** The route's operation id, such as `working.put`. */
  operation: string;
  requestId: string;
  /** When the request came in, by `performance.now()`; see `Scope`. */
  since?: number;
}

export function scopeOf(caller: Caller): Scope {
  return { tenantId: caller.tenantId, userId: caller.userId, namespaces: caller.namespaces ?? [], since: caller.since };
}

/** Memhall itself, at work on what belongs to a user ('': to the tenant). */
export function systemCaller(tenantId: string, userId: string, operation: string): Caller {
  const actor = { userId: null, serviceId: 'memhall', roles: [] };
  return { tenantId, userId, actor, operation, requestId: uuidv7(), since: performance.now() };
}
