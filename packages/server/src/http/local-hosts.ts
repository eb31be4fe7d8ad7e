import { Problem } from '@memhall/core';
import type { FastifyInstance } from 'fastify';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a Host header names this machine. */
export function isLoopbackName(host: string): boolean {
  return loopbackNames.includes(nameOf(host));
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}

/**
 * For a listener that has no token: only requests addressed to this machine by name, or to the host it was bound to. A page
 * in a browser that resolves its own name to this machine is turned away.
 */
export function acceptLocalHosts(app: FastifyInstance, boundTo: string): void {
  const known = new Set([...loopbackNames, boundTo.toLowerCase()]);
  app.addHook('onRequest', async (request) => {
    const name = nameOf(request.headers.host ?? '');
    const isOpen = boundTo === '0.0.0.0' || boundTo === '::';
    if (isOpen || name === '' || known.has(name)) return;
    throw new Problem('FORBIDDEN', 'This listener answers requests to this machine only: check the Host header.');
  });
}
