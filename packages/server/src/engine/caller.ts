import { performance } from 'node:perf_hooks';
import { uuidv7 } from '@memhall/core';
import type { Trust } from '../ports/memory-origin.js';
import type { OffTheRecord } from '../ports/off-the-record.js';
import type { Scope } from '../ports/store.js';

export const roles = ['service', 'admin', 'operator'] as const;
export type Role = (typeof roles)[number];

/** Who makes a request, whose data it is about, and how logs and the audit log identify it. */
export interface Caller {
  tenantId: string;
  /** The user whose data the request is about. */
  userId: string;
  /** The workspace whose memories the caller may read. */
  workspaceId?: string | undefined;
  /** The owners of the notes in that workspace that the caller may read; default: all. */
  noteOwners?: readonly string[] | undefined;
  /** Namespaces whose memories the caller may read. */
  namespaces?: readonly string[] | undefined;
  /** Namespaces that the caller may write; they are among those it may read. */
  writableNamespaces?: readonly string[] | undefined;
  /** The holder of the token; not always the user above. A service (`isService`) may hold a token of a user. */
  actor: { userId: string | null; serviceId: string | null; roles: readonly Role[]; isService?: boolean };
  /** The route's operation id, such as `working.put`. It says through which surface the call came: `surfaceOf`. */
  operation: string;
  requestId: string;
  /** Caps the trust of what the caller writes, see `trustOf`. */
  maxTrust?: Trust | undefined;
  /** If missing, the call did not ask for it; its session may still be off the record. */
  offTheRecord?: OffTheRecord | undefined;
  /** When the request arrived, by `performance.now()`; see `Scope`. */
  since?: number;
}

export function scopeOf(caller: Caller): Scope {
  const { tenantId, userId, workspaceId, noteOwners, namespaces, writableNamespaces, since, operation } = caller;
  return { tenantId, userId, workspaceId, noteOwners, namespaces, writableNamespaces, since, operation };
}

/** For what an off-the-record call may do as well: removals, and records of what was read. */
export function onTheRecord<C extends Caller>(caller: C): C {
  return { ...caller, offTheRecord: undefined };
}

/** Returns the caller for Memhall's own work on data of a user, or of the tenant if `userId` is empty. */
export function systemCaller(tenantId: string, userId: string, operation: string): Caller {
  const actor = { userId: null, serviceId: 'memhall', roles: [] };
  return { tenantId, userId, actor, operation, requestId: uuidv7(), since: performance.now() };
}
