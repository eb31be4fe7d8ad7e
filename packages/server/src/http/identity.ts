import { isId, Problem } from '@memhall/core';
import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { type Role, roles } from '../engine/caller.js';
import { isNamespaceName } from '../engine/namespace-names.js';
import type { NamespaceClaims } from '../engine/one-memory/namespace-grants.js';
import type { RevokedTokens, TokenFacts } from '../engine/tokens/revoked-tokens.js';
import { type Trust, trustLevels } from '../ports/memory-origin.js';
import { renameClaims } from './rename-claims.js';

/** The claims of a valid token. */
export interface Identity {
  tenantId: string;
  userId: string | null;
  serviceId: string | null;
  roles: readonly Role[];
  /** Caps the trust of what the holder writes; null if there is no cap. */
  maxTrust: Trust | null;
  /** Decide which namespaces the holder may use. */
  claims: NamespaceClaims;
  /** When the token ends; absent if the caller was identified without one. */
  expiresAt?: Date;
  /** Its claims `jti` and `iat`; absent if the caller was identified without a token. */
  token?: Pick<TokenFacts, 'tokenId' | 'issuedAt'>;
}

interface IdentityOptions {
  /** For HS256. */
  secret?: Uint8Array | undefined;
  /** For RS256 and ES256. */
  keySet?: { url: string; issuer: string; audience: string; claimNames: ReadonlyMap<string, string> } | undefined;
  /** If absent, no token counts as revoked. */
  revoked?: Pick<RevokedTokens, 'check'> | undefined;
  /** Tokens that are valid for longer are rejected. */
  maxLifetimeMs?: number | undefined;
}

const cacheSize = 10_000;
const cacheMs = 60_000;
const clockToleranceSeconds = 5;
const keySetTimeoutMs = 5000;

type Verify = (token: string) => Promise<JWTPayload>;

/** Verifies bearer tokens. The algorithm selects the key, so that a public key can never be used as an HS256 secret. */
export class TokenVerifier {
  readonly #verify = new Map<string, Verify>();
  /** Verified tokens, oldest first. A token is verified again at most once a minute. */
  readonly #known = new Map<string, { identity: Identity; validUntilMs: number }>();

  readonly #revoked: Pick<RevokedTokens, 'check'> | undefined;
  readonly #maxLifetimeMs: number | undefined;

  constructor({ secret, keySet, revoked, maxLifetimeMs }: IdentityOptions) {
    this.#revoked = revoked;
    this.#maxLifetimeMs = maxLifetimeMs;
    const common = { requiredClaims: ['exp'], clockTolerance: clockToleranceSeconds };
    if (secret !== undefined) {
      this.#verify.set(
        'HS256',
        async (token) => (await jwtVerify(token, secret, { ...common, algorithms: ['HS256'] })).payload,
      );
    }
    if (keySet !== undefined) {
      const keys = remoteKeys(keySet.url);
      for (const algorithm of ['RS256', 'ES256']) {
        const wanted = { ...common, algorithms: [algorithm], issuer: keySet.issuer, audience: keySet.audience };
        this.#verify.set(algorithm, async (token) => {
          const { payload } = await jwtVerify(token, keys, wanted);
          return renameClaims(payload, keySet.claimNames);
        });
      }
    }
  }

  /** Throws UNAUTHENTICATED, or UNAVAILABLE if the key set or the revoked tokens cannot be read. */
  async identify(authorization: string | undefined): Promise<Identity> {
    const identity = await this.#identify(authorization);
    this.#revoked?.check(toTokenFacts(identity));
    return identity;
  }

  async #identify(authorization: string | undefined): Promise<Identity> {
    const token = /^Bearer ([^\s]+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) throw refuse('A token is required. Send it as Authorization: Bearer <JWT>.');
    const known = this.#known.get(token);
    if (known !== undefined && known.validUntilMs > Date.now()) return known.identity;
    const payload = await this.#check(token);
    checkLifetime(payload, this.#maxLifetimeMs);
    const identity = toIdentity(payload);
    this.#remember(token, identity, payload.exp ?? 0);
    return identity;
  }

  async #check(token: string): Promise<JWTPayload> {
    try {
      const verify = this.#verify.get(decodeProtectedHeader(token).alg ?? '');
      if (verify === undefined) throw refuse('The signature algorithm of the token is not accepted.');
      return await verify(token);
    } catch (error) {
      throw toProblem(error);
    }
  }

  #remember(token: string, identity: Identity, expiresAtSeconds: number): void {
    this.#known.delete(token);
    this.#known.set(token, { identity, validUntilMs: Math.min(expiresAtSeconds * 1000, Date.now() + cacheMs) });
    if (this.#known.size > cacheSize) {
      const oldest = this.#known.keys().next();
      if (!oldest.done) this.#known.delete(oldest.value);
    }
  }
}

/**
 * Fetches the keys of the identity provider when they are needed. A token that matches no key, or several, is the
 * client's fault; any other failure is UNAVAILABLE.
 */
function remoteKeys(url: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(url), { timeoutDuration: keySetTimeoutMs });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      throw new Problem('UNAVAILABLE', 'Tokens cannot be verified right now. Try again shortly.', {
        retryAfterSeconds: 2,
        cause: error,
      });
    }
  };
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof errors.JWTExpired) return refuse('The token has expired. Get a new one.');
  return refuse('The token is not valid.');
}

export function toTokenFacts({ tenantId, userId, token }: Identity): TokenFacts {
  return { tenantId, userId, tokenId: token?.tokenId ?? null, issuedAt: token?.issuedAt ?? null };
}

function checkLifetime({ exp = 0, iat }: JWTPayload, maxMs: number | undefined): void {
  if (maxMs === undefined) return;
  if (iat === undefined) throw refuse('The iat claim of the token is missing. Get a token that has one.');
  if ((exp - iat) * 1000 > maxMs) {
    throw refuse(`The token is valid for too long. Get one that is valid for at most ${maxMs / 3_600_000} hours.`);
  }
}

/** Throws UNAUTHENTICATED if a claim is missing or invalid. */
export function toIdentity(claims: JWTPayload): Identity {
  const tenantId = claims.tenant_id;
  if (!isId(tenantId)) throw refuse('The tenant_id claim of the token is missing or not a valid id.');
  return {
    tenantId,
    userId: optionalId(claims, ['user_id', 'sub']),
    serviceId: optionalId(claims, ['service_id', 'azp', 'appid']),
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
  if (!isId(value)) throw refuse(`The ${name} claim of the token is not a valid id.`);
  return value;
}

/** Returns the roles that Memhall knows. Identity providers may list others in the same claim; these are ignored. */
function toRoles(claim: unknown): Role[] {
  if (claim === undefined) return [];
  if (!Array.isArray(claim)) throw refuse('The roles claim of the token is not a list.');
  return roles.filter((role) => claim.includes(role));
}

function toMaxTrust(claim: unknown): Trust | null {
  if (claim === undefined) return null;
  const level = trustLevels.find((candidate) => candidate === claim);
  if (level === undefined) throw refuse(`The max_trust claim of the token is not one of ${trustLevels.join(', ')}.`);
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
  throw refuse('The namespaces claim of the token is not a list of namespaces.');
}

function refuse(message: string): Problem {
  return new Problem('UNAUTHENTICATED', message);
}
