import { performance } from 'node:perf_hooks';
import { uuidv7 } from '@memhall/core';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { toMember } from '../engine/one-memory/member.js';
import type { Identity } from '../http/identity.js';
import { toCaller } from '../http/permission.js';
import { buildMcpServer } from '../surfaces/mcp/build-mcp-server.js';
import { mcpToolsOf } from '../surfaces/mcp/mcp-tools.js';
import { watchPlugin } from './create-host.js';
import { clientGone } from './patient-stdio.js';
import { startEngine } from './start-engine.js';
import { version } from './version.js';

export interface StdioServer {
  /** Resolves when the client has disconnected. */
  ended: Promise<void>;
  close(): Promise<void>;
}

/** Runs an MCP server on standard input and output that opens the store directly. */
export async function serveMcp(config: Config, logger: Logger, identity: Identity): Promise<StdioServer> {
  const running = await startEngine(config, logger, { shareRunning: true });
  const { host } = running.plugin;
  const stopWatching = await watchPlugin(host, logger);
  const callerFor = (operation: string) => {
    const request = { userId: undefined, operation, requestId: uuidv7(), since: performance.now() };
    const caller = toCaller(identity, request);
    return toMember(caller, identity.claims);
  };
  const server = buildMcpServer({ host, tools: mcpToolsOf(config.mcpTools), version }, callerFor);
  host.capabilities.onChange(() => void server.sendToolListChanged().catch(() => undefined));
  const transport = new StdioServerTransport();
  await server.connect(transport);
  const close = async () => {
    await server.close();
    stopWatching();
    await running.close();
  };
  return { ended: clientGone(transport), close };
}
