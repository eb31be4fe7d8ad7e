import { Problem } from '@memhall/core';
import { decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { refuseToken } from '../identity.js';
import { renameClaims } from '../rename-claims.js';
import { IssuerKeys } from './issuer-keys.js';

/** An identity provider that may issue tokens, and for which tenants. */
interface TrustedIssuer {
  /** As in the `iss` claim. */
  issuer: string;
  /** null: any. */
  tenants: readonly string[] | null;
}

interface IssuerTokenOptions {
  issuers: readonly TrustedIssuer[];
  /** Identifies this server to the issuers. Tokens for others are rejected. */
  resource: string;
  claimNames: ReadonlyMap<string, string>;
  warn(message: string): void;
}

export interface CheckedToken {
  payload: JWTPayload;
  scopes: readonly string[];
}

/** Public-key algorithms only: nobody but the issuer can sign with them. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const clockToleranceSeconds = 5;

/** Checks access tokens of the configured issuers. Nothing is fetched for any other issuer. */
export class IssuerTokens {
  readonly #issuers: ReadonlyMap<string, TrustedIssuer & { keys: IssuerKeys }>;
  readonly #options: IssuerTokenOptions;

  constructor(options: IssuerTokenOptions) {
    this.#options = options;
    this.#issuers = new Map(
      options.issuers.map((trusted) => [
        trusted.issuer,
        { ...trusted, keys: new IssuerKeys(trusted.issuer, options.warn) },
      ]),
    );
  }

  /**
   * Returns undefined if the token is of no configured issuer. Throws UNAUTHENTICATED, FORBIDDEN if the issuer may not
   * speak for the tenant, or UNAVAILABLE.
   */
  async check(token: string): Promise<CheckedToken | undefined> {
    const claims = decoded(token);
    const trusted = this.#issuers.get(claims.iss ?? '');
    if (trusted === undefined) return undefined;
    const { resource, claimNames } = this.#options;
    if (![claims.aud].flat().includes(resource))
      throw refuseToken(`The token was issued for something else. Get one for the resource ${resource}.`);
    const { payload } = await jwtVerify(token, trusted.keys.get, {
      ...{ algorithms, issuer: trusted.issuer, audience: resource },
      ...{ requiredClaims: ['exp'], clockTolerance: clockToleranceSeconds },
    });
    return { payload: withTenant(renameClaims(payload, claimNames), trusted), scopes: scopesOf(payload) };
  }
}

/** A token that cannot be decoded is left to the check of our own tokens, which rejects it. */
function decoded(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}

/** The only tenant of an issuer need not be named. */
function withTenant(payload: JWTPayload, { issuer, tenants }: TrustedIssuer): JWTPayload {
  if (tenants === null) return payload;
  const tenantId = payload.tenant_id ?? (tenants.length === 1 ? tenants[0] : undefined);
  if (tenantId !== undefined && !tenants.some((allowed) => allowed === tenantId)) {
    throw new Problem('FORBIDDEN', `The issuer ${issuer} may not issue tokens for this tenant.`);
  }
  return { ...payload, tenant_id: tenantId };
}

function scopesOf({ scope, scp }: JWTPayload): string[] {
  const given = scope ?? scp;
  if (Array.isArray(given)) return given.filter((one) => typeof one === 'string');
  return typeof given === 'string' ? given.split(' ').filter((one) => one !== '') : [];
}
