import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/settings.js';
import type { Host } from '../engine/host/host.js';
import type { RevokedTokens } from '../engine/tokens/revoked-tokens.js';
import { toTokenFacts } from '../http/identity.js';
import { type Guards, mountSurface } from '../http/mount-surface.js';
import { acceptTrustedHosts } from '../http/trusted-hosts.js';
import type { McpServices } from '../surfaces/mcp/mcp-requests.js';
import { mcpSurface } from '../surfaces/mcp/mcp-surface.js';
import { mcpToolsOf } from '../surfaces/mcp/mcp-tools.js';
import { OpenStreams } from '../surfaces/mcp/open-streams.js';
import { RevocableRequests } from '../surfaces/mcp/revocable-requests.js';
import { RunningRequests } from '../surfaces/mcp/running-requests.js';
import { version } from './version.js';

/**
 * Registers `/mcp` on a listener, with its own Host and Origin check. Open streams end when the listener starts to
 * close, and when their token is revoked.
 */
export function mountMcp(
  app: FastifyInstance,
  config: Config,
  host: Host,
  guards: Guards,
  revoked: RevokedTokens,
): void {
  const revocable = new RevocableRequests();
  revoked.onChange(() => revocable.endWhere((identity) => revoked.isRevoked(toTokenFacts(identity))));
  const streams = new OpenStreams();
  host.capabilities.onChange(() => streams.notifyToolsChanged());
  const names = config.mcpHosts?.split(',').map((name) => name.trim()) ?? [];
  app.register(async (scope) => {
    acceptTrustedHosts(scope, { boundTo: config.host, names });
    scope.addHook('preClose', () => streams.close());
    mountSurface(
      scope,
      mcpSurface,
      { ...servicesOf(config, host), version, running: new RunningRequests(), streams, revocable },
      guards,
    );
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
