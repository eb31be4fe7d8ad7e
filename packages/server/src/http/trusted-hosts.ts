import { Problem } from '@memhall/core';
import type { FastifyInstance } from 'fastify';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

interface TrustedHosts {
  boundTo: string;
  /** Further names it is known by, such as that of a proxy in front of it. */
  names: readonly string[];
}

/**
 * Turns away pages in a browser that reach this machine under a name of their own. A request must be addressed to a name that is
 * known, unless the listener is open to every address and no names are given; and a page that sends one must come from
 * such a name, or from the very host it sends it to.
 */
export function acceptTrustedHosts(app: FastifyInstance, { boundTo, names }: TrustedHosts): void {
  const known = new Set([
    ...loopbackNames,
    bracketed(boundTo.toLowerCase()),
    ...names.map((name) => name.toLowerCase()),
  ]);
  const isOpen = (boundTo === '0.0.0.0' || boundTo === '::') && names.length === 0;
  app.addHook('onRequest', async ({ headers: { host = '', origin } }) => {
    const name = withoutPort(host);
    if (!isOpen && name !== '' && !known.has(name)) {
      throw new Problem('FORBIDDEN', 'This is not a name of this server: check the Host header, or MEMHALL_MCP_HOSTS.');
    }
    if (origin === undefined) return;
    const from = hostOf(origin);
    if (from === undefined || !(known.has(from) || from === name)) {
      throw new Problem(
        'FORBIDDEN',
        'Pages from there may not call this: check the Origin header, or MEMHALL_MCP_HOSTS.',
      );
    }
  });
}

function withoutPort(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).hostname : undefined;
}
