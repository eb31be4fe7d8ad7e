import type { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Longer than any request takes, even one that waits for a first start. */
const longestMs = 120_000;

/**
 * Resolves when the client has closed standard input and received all responses. A client that pipes requests in closes
 * standard input before it has read the responses. Call it after the handlers of the transport are set and before the
 * first message.
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
