import { Problem } from '@memhall/core';
import { Type } from 'typebox';
import { renderProblem } from '../../http/render-problem.js';
import { defineRoute } from '../../http/route.js';
import type { Surface } from '../../http/surface.js';
import { type Protection, toResourceMetadata } from './protection.js';

export interface McpMetadataServices {
  /** Undefined if no issuer is configured. */
  protection: Protection | undefined;
}

const Metadata = Type.Object({
  resource: Type.String({ description: 'What tokens must be issued for' }),
  resource_name: Type.String(),
  authorization_servers: Type.Array(Type.String()),
  bearer_methods_supported: Type.Array(Type.String()),
  scopes_supported: Type.Array(Type.String()),
});

/** Any page may read it, so that clients in browsers can. */
const headers = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' };

/** Tells MCP clients where to get tokens (RFC 9728). */
export const mcpMetadataSurface: Surface<McpMetadataServices> = {
  name: 'mcp-metadata',
  title: 'Model Context Protocol metadata',
  description: 'Where clients of `/mcp` get their tokens.',
  loadExamples: async () => (await import('./mcp-examples.js')).mcpExamples,
  routes: [
    { path: '/.well-known/oauth-protected-resource/mcp', operation: 'mcp.metadata' },
    { path: '/.well-known/oauth-protected-resource', operation: 'mcp.root_metadata' },
  ].map(({ path, operation }) =>
    defineRoute({
      operation,
      method: 'GET',
      path,
      summary: 'Get where to get tokens for /mcp.',
      description: 'Metadata of RFC 9728. 404 if MEMHALL_OAUTH_ISSUERS is not set.',
      access: 'open',
      request: {},
      responses: { 200: { description: 'The metadata', schema: Metadata } },
      problems: ['NOT_FOUND'],
      async handle({ protection }: McpMetadataServices) {
        if (protection === undefined)
          throw new Problem('NOT_FOUND', 'This server takes no tokens of an authorization server.');
        return { headers, body: toResourceMetadata(protection) };
      },
    }),
  ),
  renderProblem,
};
