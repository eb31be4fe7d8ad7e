import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import type { Identity } from '../http/identity.js';
import { buildMcpServer } from '../surfaces/mcp/build-mcp-server.js';
import type { openMcpRequests } from './open-mcp-requests.js';
import { clientGone } from './patient-stdio.js';
import { version } from './version.js';

export interface StdioServer {
  /** Resolves when the client has disconnected. */
  ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * Runs an MCP server on standard input and output that opens the store directly. `initialize` is answered before the
 * code behind the tools is loaded, and the list of tools before the store is opened: both keep the process busy.
 */
export function serveMcp(config: Config, logger: Logger, identity: Identity): StdioServer {
  let opening: Promise<ReturnType<typeof openMcpRequests>> | undefined;
  const open = () => {
    opening ??= load();
    return opening;
  };
  const load = async () => {
    const { openMcpRequests } = await import('./open-mcp-requests.js');
    return openMcpRequests(config, logger, identity, () => void server.sendToolListChanged().catch(() => undefined));
  };
  const server = buildMcpServer(version, async () => (await open()).requests);
  server.oninitialized = () => void open().then((opened) => opened.openStoreSoon());
  const transport = new StdioServerTransport();
  const connected = server.connect(transport);
  const close = async () => {
    await connected;
    await server.close();
    await (await opening)?.close();
  };
  return { ended: clientGone(transport), close };
}
