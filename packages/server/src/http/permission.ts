import { Problem } from '@memhall/core';
import type { Caller, Role } from '../engine/caller.js';
import type { Identity } from './identity.js';
import type { Access } from './route.js';

const rolesThatMay: Record<Exclude<TokenAccess, 'user'>, readonly Role[]> = {
  service: ['service', 'admin'],
  admin: ['admin'],
  operator: ['operator'],
  'operator-or-admin': ['operator', 'admin'],
};

/** What a token alone decides. */
export type TokenAccess = Extract<Access, 'user' | 'service' | 'admin' | 'operator' | 'operator-or-admin'>;

function hasAny(identity: Identity, wanted: readonly Role[]): boolean {
  return wanted.some((role) => identity.roles.includes(role));
}

export function maySpeakForOthers(identity: Identity): boolean {
  return hasAny(identity, rolesThatMay.service);
}

/** Throws FORBIDDEN when the token's roles do not reach. */
export function checkAccess(access: TokenAccess, identity: Identity): void {
  if (access === 'user') {
    // Operators see how the service does, never what it remembers.
    if (identity.roles.length > 0 && identity.roles.every((role) => role === 'operator')) {
      throw new Problem('FORBIDDEN', "An operator's token gives no access to memory content.");
    }
    return;
  }
  if (!hasAny(identity, rolesThatMay[access])) {
    throw new Problem('FORBIDDEN', `This needs a token with role ${rolesThatMay[access].join(' or ')}.`);
  }
}

/** Whom a request names must be whom the token may speak for. Checked before its body is read, and again after. */
export function checkNamed(
  identity: Identity,
  named: { tenantId?: string | undefined; userId?: string | undefined },
): void {
  if (named.tenantId !== undefined && named.tenantId !== identity.tenantId) {
    throw new Problem('FORBIDDEN', 'The token belongs to another tenant.');
  }
  if (named.userId !== undefined && named.userId !== identity.userId && !maySpeakForOthers(identity)) {
    throw new Problem('FORBIDDEN', 'The token speaks for another user: only role service or admin may name one.');
  }
}

/** `userId` is whom the request names, already checked. */
export function toCaller(
  identity: Identity,
  request: { userId: string | undefined; operation: string; requestId: string; since: number },
): Caller {
  const userId = request.userId ?? identity.userId;
  if (userId === null) {
    throw new Problem('INVALID_REQUEST', 'The token names no user: say whom this is about with user_id.');
  }
  return {
    tenantId: identity.tenantId,
    userId,
    actor: { userId: identity.userId, serviceId: identity.serviceId, roles: identity.roles },
    operation: request.operation,
    requestId: request.requestId,
    since: request.since,
  };
}
