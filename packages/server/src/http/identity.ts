import { isId, Problem } from '@memhall/core';
import type { JWTPayload } from 'jose';
import { type Role, roles } from '../engine/caller.js';
import { isNamespaceName } from '../engine/namespace-names.js';
import type { NamespaceClaims } from '../engine/one-memory/namespace-grants.js';
import type { TokenFacts } from '../engine/tokens/revoked-tokens.js';
import { type Trust, trustLevels } from '../ports/memory-origin.js';

/** The claims of a valid token. */
export interface Identity {
  tenantId: string;
  userId: string | null;
  serviceId: string | null;
  /** The token was made for a service: it has the claim `service_id`. Applications with which users sign in are named in others. */
  isService: boolean;
  roles: readonly Role[];
  /** Caps the trust of what the holder writes; null if there is no cap. */
  maxTrust: Trust | null;
  /** Decide which namespaces the holder may use. */
  claims: NamespaceClaims;
  /** What a token of an authorization server was granted for; absent if it is not limited by scopes. */
  scopes?: readonly string[];
  /** When the token ends; absent if the caller was identified without one. */
  expiresAt?: Date;
  /** Its claims `jti` and `iat`; absent if the caller was identified without a token. */
  token?: Pick<TokenFacts, 'tokenId' | 'issuedAt'>;
}

/** Throws UNAUTHENTICATED if a claim is missing or invalid. */
export function toIdentity(claims: JWTPayload): Identity {
  const tenantId = claims.tenant_id;
  if (!isId(tenantId)) throw refuseToken('The tenant_id claim of the token is missing or not a valid id.');
  return {
    tenantId,
    userId: optionalId(claims, ['user_id', 'sub']),
    serviceId: optionalId(claims, ['service_id', 'azp', 'appid']),
    isService: claims.service_id !== undefined,
    roles: toRoles(claims.roles),
    maxTrust: toMaxTrust(claims.max_trust),
    claims: {
      workspaceId: optionalId(claims, ['workspace_id']),
      teamIds: [optionalId(claims, ['team_id']) ?? []].flat(),
      orgId: optionalId(claims, ['org_id']),
      agentId: optionalId(claims, ['agent_id']),
      crewId: optionalId(claims, ['crew_id']),
      namespaces: toNamespaces(claims.namespaces),
      isOrgRoot: claims.org_root === true,
    },
    ...(claims.exp === undefined ? {} : { expiresAt: new Date(claims.exp * 1000) }),
    token: {
      tokenId: typeof claims.jti === 'string' ? claims.jti : null,
      issuedAt: toIssueTime(claims.iat),
    },
  };
}

/** Returns the first of the named claims that is present, or null. Throws UNAUTHENTICATED if it is not a valid id. */
function optionalId(claims: JWTPayload, names: readonly string[]): string | null {
  const name = names.find((candidate) => claims[candidate] !== undefined);
  if (name === undefined) return null;
  const value = claims[name];
  if (!isId(value)) throw refuseToken(`The ${name} claim of the token is not a valid id.`);
  return value;
}

/** Returns the roles that Memhall knows. Identity providers may list others in the same claim; these are ignored. */
function toRoles(claim: unknown): Role[] {
  if (claim === undefined) return [];
  if (!Array.isArray(claim)) throw refuseToken('The roles claim of the token is not a list.');
  return roles.filter((role) => claim.includes(role));
}

function toMaxTrust(claim: unknown): Trust | null {
  if (claim === undefined) return null;
  const level = trustLevels.find((candidate) => candidate === claim);
  if (level === undefined)
    throw refuseToken(`The max_trust claim of the token is not one of ${trustLevels.join(', ')}.`);
  return level;
}

/** A time that does not exist counts as unknown. */
function toIssueTime(seconds: number | undefined): Date | null {
  const issued = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(issued.getTime()) ? null : issued;
}

function toNamespaces(claim: unknown): string[] {
  if (claim === undefined) return [];
  if (Array.isArray(claim) && claim.every(isNamespaceName)) return claim;
  throw refuseToken('The namespaces claim of the token is not a list of namespaces.');
}

export function toTokenFacts({ tenantId, userId, token }: Identity): TokenFacts {
  return { tenantId, userId, tokenId: token?.tokenId ?? null, issuedAt: token?.issuedAt ?? null };
}

export function refuseToken(message: string): Problem {
  return new Problem('UNAUTHENTICATED', message);
}
