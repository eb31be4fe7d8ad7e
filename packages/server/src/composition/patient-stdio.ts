import type { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** No request takes longer. */
const longestMs = 30_000;

/**
 * Resolves when the client is gone and has all its answers: whoever pipes requests in closes standard input at once. To be called
 * when the transport's handlers are set, before the first message.
 */
export function clientGone(transport: StdioServerTransport): Promise<void> {
  const waiting = new Set<unknown>();
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  return new Promise((done) => {
    let hasEnded = false;
    const settle = (id: unknown) => {
      waiting.delete(id);
      if (hasEnded && waiting.size === 0) done();
    };
    const end = () => {
      hasEnded = true;
      if (waiting.size === 0) done();
      setTimeout(done, longestMs).unref();
    };
    transport.onmessage = (message: JSONRPCMessage) => {
      if ('method' in message && 'id' in message) waiting.add(message.id);
      if ('method' in message && message.method === 'notifications/cancelled') settle(message.params?.requestId);
      onmessage?.(message);
    };
    transport.send = async (message) => {
      await send(message);
      if (!('method' in message)) settle(message.id);
    };
    process.stdin.once('end', end).once('close', end);
  });
}
