import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Requests that are still running or arriving this long after the close began are aborted. */
const graceMs = 5000;

/**
 * Makes close() finish. Node alone waits for every client to disconnect: keep-alive clients that just got a response,
 * clients that connected and sent nothing, clients that stopped in the middle of a request, which its timeouts no
 * longer cover, and clients that read a stream of events, which has no end of its own.
 */
export function closeGracefully(app: FastifyInstance, isDraining: () => boolean): void {
  const connections = new Set<Socket>();
  const eventStreams = new Set<Readable>();
  let closing = false;
  app.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    for (const stream of eventStreams) stream.destroy();
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing || isDraining()) reply.header('connection', 'close');
    if (payload instanceof Readable && String(reply.getHeader('content-type')).startsWith('text/event-stream')) {
      eventStreams.add(payload.once('close', () => eventStreams.delete(payload)));
    }
    done();
  });
}
