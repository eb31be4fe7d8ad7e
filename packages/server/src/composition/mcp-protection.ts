import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import type { RevokedTokens } from '../engine/tokens/revoked-tokens.js';
import { IssuerTokens } from '../http/oauth/issuer-tokens.js';
import type { TokenVerifier } from '../http/token-verifier.js';
import type { Protection } from '../surfaces/mcp/protection.js';
import { createVerifier } from './token-verifier.js';

/** Returns how clients get tokens for `/mcp`; undefined if no issuer is configured. */
export function mcpProtectionOf(config: Config): Protection | undefined {
  const { publicUrl, oauthIssuers, oauthReadScope, oauthWriteScope } = config;
  if (publicUrl === undefined || oauthIssuers.length === 0) return undefined;
  const base = publicUrl.replace(/\/$/, '');
  const nameOf = (scope: string) => (scope === 'none' ? null : scope);
  return {
    resource: `${base}/mcp`,
    metadataUrl: `${base}/.well-known/oauth-protected-resource/mcp`,
    issuers: oauthIssuers.map(({ issuer }) => issuer),
    scopes: { read: nameOf(oauthReadScope), write: nameOf(oauthWriteScope) },
  };
}

/** Accepts on `/mcp` what is accepted everywhere, and tokens that a configured issuer issued for it. */
export function createMcpVerifier(
  config: Config,
  revoked: RevokedTokens,
  { resource }: Protection,
  logger: Logger,
): Promise<TokenVerifier> {
  const warn = (message: string) => logger.warn(message);
  const options = { issuers: config.oauthIssuers, claimNames: config.jwtClaims, resource, warn };
  return createVerifier(config, revoked, new IssuerTokens(options));
}
