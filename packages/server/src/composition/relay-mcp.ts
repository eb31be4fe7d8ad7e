import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from 'pino';
import { describeError } from '../http/logging.js';
import { clientGone } from './patient-stdio.js';
import type { StdioServer } from './serve-mcp.js';

const reasons: Record<number, string> = {
  400: 'The server refuses this message as not valid.',
  401: 'The server does not accept the token: get a new one, and set MEMHALL_TOKEN.',
  403: 'The server does not let this token in.',
  413: 'This is more than the server takes at once: send less.',
  429: 'The server takes no more requests right now: wait a little.',
};

/** Passes messages between standard input and output and a server's `/mcp`, which decides about everything. */
export async function relayMcp(server: URL, token: string, logger: Logger): Promise<StdioServer> {
  const near = new StdioServerTransport();
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const far = new StreamableHTTPClientTransport(new URL('mcp', server), { requestInit });
  far.onerror = (error) => logger.warn({ error: describeError(error) }, 'the connection to the server has a fault');
  far.onmessage = (message) => {
    const version = 'result' in message ? message.result.protocolVersion : undefined;
    if (typeof version === 'string') far.setProtocolVersion(version);
    void near.send(message);
  };
  near.onmessage = (message) => {
    far.send(message).catch((error: unknown) => {
      logger.warn({ error: describeError(error) }, 'the server did not take a message');
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

/** Who asked must be told, in words that help; a notification has nobody who waits. */
function toRefusal(message: JSONRPCMessage, error: unknown): JSONRPCMessage | undefined {
  if (!('method' in message && 'id' in message)) return undefined;
  const status = error instanceof StreamableHTTPError ? error.code : undefined;
  const reason = reasons[status ?? 0] ?? 'The Memhall server cannot be used: it may not be running.';
  return { jsonrpc: '2.0', id: message.id, error: { code: ErrorCode.InternalError, message: reason } };
}
