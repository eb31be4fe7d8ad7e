import { Problem } from '@memhall/core';
import type { Caller, Role } from '../engine/caller.js';
import type { OffTheRecord } from '../ports/off-the-record.js';
import type { Identity } from './identity.js';
import type { Access } from './route.js';

const rolesByAccess: Record<Exclude<TokenAccess, 'user'>, readonly Role[]> = {
  service: ['service', 'admin'],
  admin: ['admin'],
  operator: ['operator'],
  'operator-or-admin': ['operator', 'admin'],
};

/** Kinds of access that the token alone decides. */
export type TokenAccess = Extract<Access, 'user' | 'service' | 'admin' | 'operator' | 'operator-or-admin'>;

function hasAny(identity: Identity, wanted: readonly Role[]): boolean {
  return wanted.some((role) => identity.roles.includes(role));
}

export function mayActForOthers(identity: Identity): boolean {
  return hasAny(identity, rolesByAccess.service);
}

/** Throws FORBIDDEN if the roles of the token do not allow the access. */
export function checkAccess(access: TokenAccess, identity: Identity): void {
  if (access === 'user') {
    // Operators may see the state of the service, but never memory content.
    if (identity.roles.length > 0 && identity.roles.every((role) => role === 'operator')) {
      throw new Problem('FORBIDDEN', 'A token with only the operator role gives no access to memory content.');
    }
    return;
  }
  if (!hasAny(identity, rolesByAccess[access])) {
    throw new Problem('FORBIDDEN', `This call requires a token with the role ${rolesByAccess[access].join(' or ')}.`);
  }
}

/**
 * Throws FORBIDDEN if the token may not act for the named tenant or user. Called before the body is read, for names in
 * the URL, and again afterwards, for names in the body.
 */
export function checkNamed(
  identity: Identity,
  named: { tenantId?: string | undefined; userId?: string | undefined },
): void {
  if (named.tenantId !== undefined && named.tenantId !== identity.tenantId) {
    throw new Problem('FORBIDDEN', 'The token belongs to a different tenant.');
  }
  if (named.userId !== undefined && named.userId !== identity.userId && !mayActForOthers(identity)) {
    throw new Problem(
      'FORBIDDEN',
      'The token belongs to a different user. Acting for other users requires the role service or admin.',
    );
  }
}

/** Throws FORBIDDEN if the token may not use the workspace. */
export function checkWorkspace(identity: Identity, workspaceId: string): void {
  if (workspaceId === (identity.claims.workspaceId ?? identity.userId) || mayActForOthers(identity)) return;
  throw new Problem(
    'FORBIDDEN',
    'The token belongs to a different workspace. Using other workspaces requires the role service or admin.',
  );
}

/** `request.userId` is the user named by the request and must have passed `checkNamed`. */
export function toCaller(
  identity: Identity,
  request: {
    userId: string | undefined;
    operation: string;
    requestId: string;
    since: number;
    offTheRecord?: OffTheRecord;
  },
): Caller {
  const userId = request.userId ?? identity.userId;
  if (userId === null) {
    throw new Problem('INVALID_REQUEST', 'The token names no user. Name one with user_id.');
  }
  return {
    tenantId: identity.tenantId,
    userId,
    actor: {
      userId: identity.userId,
      serviceId: identity.serviceId,
      roles: identity.roles,
      isService: identity.isService,
    },
    operation: request.operation,
    requestId: request.requestId,
    maxTrust: identity.maxTrust ?? undefined,
    since: request.since,
    offTheRecord: request.offTheRecord,
  };
}
