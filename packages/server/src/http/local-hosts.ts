import { Problem } from '@memhall/core';
import type { FastifyInstance } from 'fastify';
import { isLoopbackName } from './loopback.js';

function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}

/**
 * Protects a listener without a token: rejects requests whose Host header is neither a loopback name nor the address
 * the listener is bound to. This stops DNS rebinding, where a web page resolves its own name to this machine. A
 * listener bound to all addresses accepts every Host.
 */
export function acceptLocalHosts(app: FastifyInstance, boundTo: string): void {
  const ownName = boundTo.includes(':') ? `[${boundTo.toLowerCase()}]` : boundTo.toLowerCase();
  app.addHook('onRequest', async (request) => {
    const name = nameOf(request.headers.host ?? '');
    const isOpen = boundTo === '0.0.0.0' || boundTo === '::';
    if (isOpen || name === '' || name === ownName || isLoopbackName(name)) return;
    throw new Problem(
      'FORBIDDEN',
      'This listener accepts only requests addressed to this machine. Check the Host header.',
    );
  });
}
