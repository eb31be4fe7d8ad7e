import { Problem } from '@memhall/core';
import type { Identity } from '../../http/identity.js';
import type { JsonRpcBody } from './json-rpc-body.js';
import { mcpTools } from './mcp-tools.js';

/** How clients get tokens for `/mcp` from an authorization server. */
export interface Protection {
  /** The public address of `/mcp`, for which tokens are issued. */
  resource: string;
  /** Where its metadata is published. */
  metadataUrl: string;
  issuers: readonly string[];
  /** null: none is needed. */
  scopes: { read: string | null; write: string | null };
}

/** Returns the metadata of RFC 9728. */
export function toResourceMetadata({ resource, issuers, scopes }: Protection) {
  return {
    resource,
    resource_name: 'Memhall',
    authorization_servers: [...issuers],
    bearer_methods_supported: ['header'],
    scopes_supported: scopesToAskFor(scopes),
  };
}

/** Returns the WWW-Authenticate header of a 401. */
export function toChallenge(protection: Protection, hasToken: boolean): string {
  return challenge(protection, scopesToAskFor(protection.scopes), hasToken ? 'invalid_token' : undefined);
}

/**
 * Returns what a request lacks: the problem, and the WWW-Authenticate header that says which scopes to ask for. Only
 * tokens of an issuer are limited by scopes.
 */
export function findMissingScope(
  protection: Protection,
  { scopes: granted }: Identity,
  body: JsonRpcBody,
): { problem: Problem; challenge: string } | undefined {
  const { read, write } = protection.scopes;
  const isWriting = writes(body);
  const sufficient = isWriting ? [write] : [read, write];
  if (granted === undefined || sufficient.some((scope) => scope === null || includes(granted, scope))) return undefined;
  const needed = (isWriting ? [read, write] : [read]).filter((scope) => scope !== null);
  const message = `The token lacks the scope ${isWriting ? write : read}. Get one that has it.`;
  return {
    problem: new Problem('FORBIDDEN', message, { details: { scope: needed.join(' ') } }),
    challenge: challenge(protection, needed, 'insufficient_scope'),
  };
}

function challenge({ metadataUrl }: Protection, scopes: readonly string[], error: string | undefined): string {
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
    `resource_metadata="${metadataUrl}"`,
  ];
  return `Bearer ${parts.join(', ')}`;
}

function scopesToAskFor({ read, write }: Protection['scopes']): string[] {
  return [read, write].filter((scope) => scope !== null);
}

/** Some issuers are asked for `api://id/name` and grant `name`. */
function includes(granted: readonly string[], scope: string): boolean {
  return granted.includes(scope) || granted.includes(scope.slice(scope.lastIndexOf('/') + 1));
}

function writes({ calledTool }: JsonRpcBody): boolean {
  return mcpTools.some(({ name, annotations }) => name === calledTool && annotations.readOnlyHint !== true);
}
