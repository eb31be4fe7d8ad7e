import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Requests still running, or still arriving, this long after the close began are cut off. */
const graceMs = 5000;

/**
 * Makes close() come to an end. By itself Node waits for every client to hang up: those it just answered, those that
 * connected and said nothing, and those that stopped in the middle, whom its timeouts no longer reach.
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
