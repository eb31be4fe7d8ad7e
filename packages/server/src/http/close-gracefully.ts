import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Requests that are still running or arriving this long after the close began are aborted. */
const graceMs = 5000;

/**
 * Makes close() finish. Node alone waits for every client to disconnect: keep-alive clients that just got a response,
 * clients that connected and sent nothing, and clients that stopped in the middle of a request, which its timeouts no
 * longer cover.
 */
export function closeGracefully(app: FastifyInstance): void {
  const connections = new Set<Socket>();
  let closing = false;
  app.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });
}
