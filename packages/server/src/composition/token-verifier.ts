import { join } from 'node:path';
import type { Config } from '../config/settings.js';
import type { RevokedTokens } from '../engine/tokens/revoked-tokens.js';
import type { IssuerTokens } from '../http/oauth/issuer-tokens.js';
import { TokenVerifier } from '../http/token-verifier.js';
import { readOrCreateSecret } from '../providers/secret-file.js';

/**
 * Returns the secret for HS256 tokens: the configured one, or the one stored in the data directory, which is created if
 * it is missing. Returns undefined if only a key set is configured.
 */
export async function tokenSecret(config: Config): Promise<string | undefined> {
  if (config.jwtSecret !== undefined) return config.jwtSecret;
  if (config.jwksUrl !== undefined) return undefined;
  return readOrCreateSecret(join(config.dataDirectory, 'jwt-secret'));
}

/** Returns undefined if tokens may be valid for any time. */
export function tokenMaxLifetimeMs({ tokenMaxHours }: Config): number | undefined {
  return tokenMaxHours === 0 ? undefined : tokenMaxHours * 3_600_000;
}

/** `issuers` checks tokens of further issuers. */
export async function createVerifier(
  config: Config,
  revoked: RevokedTokens,
  issuers?: IssuerTokens,
): Promise<TokenVerifier> {
  const { jwksUrl, jwtIssuer, jwtAudience, jwtClaims } = config;
  const secret = await tokenSecret(config);
  return new TokenVerifier({
    issuers,
    revoked,
    maxLifetimeMs: tokenMaxLifetimeMs(config),
    secret: secret === undefined ? undefined : new TextEncoder().encode(secret),
    keySet:
      jwksUrl !== undefined && jwtIssuer !== undefined && jwtAudience !== undefined
        ? { url: jwksUrl, issuer: jwtIssuer, audience: jwtAudience, claimNames: jwtClaims }
        : undefined,
  });
}
