import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from 'pino';
import { describeError } from '../http/logging.js';
import { clientGone } from './patient-stdio.js';
import type { StdioServer } from './serve-mcp.js';

const reasons: Record<number, string> = {
  400: 'The server rejected the message as invalid.',
  401: 'The server does not accept the token. Get a new one and set MEMHALL_TOKEN.',
  403: 'The token lacks the permission to use this server.',
  413: 'The message is too large for the server. Send less at once.',
  429: 'Too many requests. Wait a little, then try again.',
};

/**
 * Relays messages between standard input and output and the `/mcp` of a server. All decisions are made by the server.
 */
export async function relayMcp(server: URL, token: string, logger: Logger): Promise<StdioServer> {
  const near = new StdioServerTransport();
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const far = new StreamableHTTPClientTransport(new URL('mcp', server), { requestInit });
  far.onerror = (error) => logger.warn({ error: describeError(error) }, 'error on the connection to the server');
  far.onmessage = (message) => {
    const version = 'result' in message ? message.result.protocolVersion : undefined;
    if (typeof version === 'string') far.setProtocolVersion(version);
    void near.send(message);
  };
  near.onmessage = (message) => {
    far.send(message).catch((error: unknown) => {
      logger.warn({ error: describeError(error) }, 'the server did not accept a message');
      const refusal = toRefusal(message, error);
      if (refusal !== undefined) void near.send(refusal);
    });
  };
  const ended = clientGone(near);
  await far.start();
  await near.start();
  const close = async () => {
    await far.close();
    await near.close();
  };
  return { ended, close };
}

/** Returns an error response for a request. Returns undefined for a notification, which has no response. */
function toRefusal(message: JSONRPCMessage, error: unknown): JSONRPCMessage | undefined {
  if (!('method' in message && 'id' in message)) return undefined;
  const status = error instanceof StreamableHTTPError ? error.code : undefined;
  const reason = reasons[status ?? 0] ?? 'The Memhall server cannot be reached. Check that it is running.';
  return { jsonrpc: '2.0', id: message.id, error: { code: ErrorCode.InternalError, message: reason } };
}
