import { Problem } from '@memhall/core';
import type { FastifyInstance } from 'fastify';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

interface TrustedHosts {
  boundTo: string;
  /** Further host names of this server, such as that of a proxy in front of it. */
  names: readonly string[];
  /** The name of the public address; undefined if it is not known. */
  publicName: string | undefined;
}

/**
 * Stops DNS rebinding, where a web page reaches this machine under its own name. The Host header must be a known name,
 * unless the listener is bound to all addresses and `names` is empty. The Origin header, if sent, must be a known name
 * or the same host as the Host header.
 */
export function acceptTrustedHosts(app: FastifyInstance, { boundTo, names, publicName }: TrustedHosts): void {
  const known = new Set([
    ...loopbackNames,
    bracketed(boundTo.toLowerCase()),
    ...[...names, ...(publicName === undefined ? [] : [publicName])].map((name) => name.toLowerCase()),
  ]);
  const isOpen = (boundTo === '0.0.0.0' || boundTo === '::') && names.length === 0;
  app.addHook('onRequest', async ({ headers: { host = '', origin } }) => {
    const name = withoutPort(host);
    if (!isOpen && name !== '' && !known.has(name)) {
      throw new Problem(
        'FORBIDDEN',
        'The Host header is not a known name of this server. Correct it, or add the name to MEMHALL_MCP_HOSTS.',
      );
    }
    if (origin === undefined) return;
    const from = hostOf(origin);
    if (from === undefined || !(known.has(from) || from === name)) {
      throw new Problem(
        'FORBIDDEN',
        'The Origin header is not allowed. Correct it, or add its host name to MEMHALL_MCP_HOSTS.',
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
