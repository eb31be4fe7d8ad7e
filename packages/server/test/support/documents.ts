import { randomUUID } from 'node:crypto';
import type { PatchOperation } from '@memhall/core';
import type { Answer, TestServer } from './server.js';

export const starterProfile = 'project-copilot-v1';

export interface PatchCall {
  ops: readonly PatchOperation[];
  user?: string;
  /** Namespace and path. */
  document?: readonly [namespace: string, path: string];
  binding?: string;
  profile?: string;
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
  token?: string;
}

export function documentPath(user: string, [namespace, path]: readonly [string, string]): string {
  return `/v1/tenants/t1/users/${user}/documents/${namespace}/${encodeURIComponent(path)}`;
}

/** Patches user_dynamic of the starter profile by default, unconditionally and with a new idempotency key. */
export function patch(server: TestServer, call: PatchCall): Promise<Answer> {
  const { user = 'u1', document = ['user', 'user_dynamic.json'], binding = 'user_dynamic', token } = call;
  return server.call({
    method: 'PATCH',
    path: documentPath(user, document),
    headers: { 'if-match': '*', 'idempotency-key': randomUUID(), ...call.headers },
    body: {
      profile_id: call.profile ?? starterProfile,
      binding_id: binding,
      reason: 'live_update',
      ops: call.ops,
      ...call.body,
    },
    ...(token === undefined ? {} : { token }),
  });
}

export function add(path: string, value: unknown): PatchOperation {
  return { op: 'add', path: `/content${path}`, value: value as never };
}
