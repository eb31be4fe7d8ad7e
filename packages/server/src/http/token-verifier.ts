import { Problem } from '@memhall/core';
import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import type { RevokedTokens } from '../engine/tokens/revoked-tokens.js';
import { type Identity, refuseToken, toIdentity, toTokenFacts } from './identity.js';
import type { CheckedToken, IssuerTokens } from './oauth/issuer-tokens.js';
import { renameClaims } from './rename-claims.js';

interface IdentityOptions {
  /** For HS256. */
  secret?: Uint8Array | undefined;
  /** For RS256 and ES256. */
  keySet?: { url: string; issuer: string; audience: string; claimNames: ReadonlyMap<string, string> } | undefined;
  /** Checks tokens of other issuers. */
  issuers?: IssuerTokens | undefined;
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

  readonly #issuers: IssuerTokens | undefined;
  readonly #revoked: Pick<RevokedTokens, 'check'> | undefined;
  readonly #maxLifetimeMs: number | undefined;

  constructor({ secret, keySet, issuers, revoked, maxLifetimeMs }: IdentityOptions) {
    this.#issuers = issuers;
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
    if (token === undefined) throw refuseToken('A token is required. Send it as Authorization: Bearer <JWT>.');
    const known = this.#known.get(token);
    if (known !== undefined && known.validUntilMs > Date.now()) return known.identity;
    const { payload, scopes } = await this.#check(token);
    checkLifetime(payload, this.#maxLifetimeMs);
    const identity = { ...toIdentity(payload), ...(scopes === undefined ? {} : { scopes }) };
    this.#remember(token, identity, payload.exp ?? 0);
    return identity;
  }

  async #check(token: string): Promise<Pick<CheckedToken, 'payload'> & Partial<CheckedToken>> {
    try {
      const issued = await this.#issuers?.check(token);
      if (issued !== undefined) return issued;
      const verify = this.#verify.get(decodeProtectedHeader(token).alg ?? '');
      if (verify === undefined) throw refuseToken('The signature algorithm of the token is not accepted.');
      return { payload: await verify(token) };
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
  if (error instanceof errors.JWTExpired) return refuseToken('The token has expired. Get a new one.');
  return refuseToken('The token is not valid.');
}

function checkLifetime({ exp = 0, iat }: JWTPayload, maxMs: number | undefined): void {
  if (maxMs === undefined) return;
  if (iat === undefined) throw refuseToken('The iat claim of the token is missing. Get a token that has one.');
  if ((exp - iat) * 1000 > maxMs) {
    throw refuseToken(`The token is valid for too long. Get one that is valid for at most ${maxMs / 3_600_000} hours.`);
  }
}
