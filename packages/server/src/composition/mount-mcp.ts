import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import type { Host } from '../engine/host/host.js';
import type { RevokedTokens } from '../engine/tokens/revoked-tokens.js';
import { toTokenFacts } from '../http/identity.js';
import { type Guards, mountSurface } from '../http/mount-surface.js';
import { acceptTrustedHosts } from '../http/trusted-hosts.js';
import { mcpMetadataSurface } from '../surfaces/mcp/mcp-metadata-surface.js';
import type { McpServices } from '../surfaces/mcp/mcp-requests.js';
import { mcpSurface } from '../surfaces/mcp/mcp-surface.js';
import { mcpToolsOf } from '../surfaces/mcp/mcp-tools.js';
import { OpenStreams } from '../surfaces/mcp/open-streams.js';
import { type Protection, toChallenge } from '../surfaces/mcp/protection.js';
import { RevocableRequests } from '../surfaces/mcp/revocable-requests.js';
import { RunningRequests } from '../surfaces/mcp/running-requests.js';
import { createMcpVerifier, mcpProtectionOf } from './mcp-protection.js';
import { version } from './version.js';

/**
 * Registers `/mcp` on a listener, with its own Host and Origin check, and with its own tokens if an authorization server
 * issues them. Open streams end when the listener starts to close, and when their token is revoked.
 */
export async function mountMcp(
  app: FastifyInstance,
  config: Config,
  host: Host,
  guards: Guards,
  revoked: RevokedTokens,
  logger: Logger,
): Promise<void> {
  const protection = mcpProtectionOf(config);
  const tokens =
    protection === undefined ? guards.tokens : await createMcpVerifier(config, revoked, protection, logger);
  const revocable = new RevocableRequests();
  revoked.onChange(() => revocable.endWhere((identity) => revoked.isRevoked(toTokenFacts(identity))));
  const streams = new OpenStreams();
  host.capabilities.onChange(() => streams.notifyToolsChanged());
  const names = config.mcpHosts?.split(',').map((name) => name.trim()) ?? [];
  app.register(async (scope) => {
    const publicName = config.publicUrl === undefined ? undefined : new URL(config.publicUrl).hostname;
    acceptTrustedHosts(scope, { boundTo: config.host, names, publicName });
    if (protection !== undefined) challengeTokens(scope, protection);
    scope.addHook('preClose', () => streams.close());
    mountSurface(
      scope,
      mcpSurface,
      { ...servicesOf(config, host), version, running: new RunningRequests(), streams, revocable, protection },
      { ...guards, tokens },
    );
  });
  mountSurface(app, mcpMetadataSurface, { protection }, guards);
}

/** Tells clients without a valid token where to get one. */
function challengeTokens(scope: FastifyInstance, protection: Protection): void {
  scope.addHook('onSend', async ({ headers }, reply) => {
    if (reply.statusCode !== 401) return;
    reply.header('www-authenticate', toChallenge(protection, headers.authorization !== undefined));
  });
}

function servicesOf(config: Config, host: Host): McpServices {
  return {
    host: async () => host,
    capabilities: async () => host.capabilities,
    tools: mcpToolsOf(config.mcpTools),
    onFault: host.engine.onFault,
  };
}
