import { uuidv7 } from '@memhall/core';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { grantsOf } from '../engine/host/namespace-grants.js';
import type { Identity } from '../http/identity.js';
import { toCaller } from '../http/permission.js';
import { buildMcpServer } from '../surfaces/mcp/build-mcp-server.js';
import { mcpTools } from '../surfaces/mcp/mcp-tools.js';
import { openHost } from './open-host.js';
import { startEngine } from './start-engine.js';
import { version } from './version.js';

export interface StdioServer {
  /** When the client is gone. */
  ended: Promise<void>;
  close(): Promise<void>;
}

/** Speaks the Model Context Protocol on standard input and output, over the store itself. */
export async function serveMcp(config: Config, logger: Logger, identity: Identity): Promise<StdioServer> {
  const running = await startEngine(config, logger, { shareRunning: true });
  const { host, close: closeHost } = await openHost(config, running.engine, logger);
  const caller = toCaller(identity, { userId: undefined, operation: 'mcp', requestId: uuidv7(), since: 0 });
  const { since: _since, ...standing } = caller;
  const services = { host, tools: mcpTools, version };
  const server = buildMcpServer(services, { ...standing, grants: grantsOf(caller, identity.claims) });
  host.capabilities.onChange(() => void server.sendToolListChanged().catch(() => undefined));
  const ended = new Promise<void>((done) => {
    server.onclose = done;
    process.stdin.once('end', done).once('close', done);
  });
  await server.connect(new StdioServerTransport());
  const close = async () => {
    await server.close();
    closeHost();
    await running.close();
  };
  return { ended, close };
}
