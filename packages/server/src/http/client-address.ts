import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';

/**
 * Returns the address a request comes from: that of the peer or, if the peer is a trusted proxy, the last address in X-Forwarded-For
 * that is not one. Of an IPv6 address, only the network (/64), within which a client can choose.
 */
export function clientAddress({ socket, headers }: IncomingMessage, proxies: BlockList): string {
  let address = socket.remoteAddress ?? '';
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  while (isAmong(proxies, address)) {
    const next = withoutPort(forwarded.pop()?.trim() ?? '');
    if (isIP(next) === 0) break;
    address = next;
  }
  return toNetwork(address);
}

function isAmong(networks: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !address.includes('%') && networks.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Some proxies add the port: `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(address: string): string {
  return address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');
}

function toNetwork(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const missing = address.includes('::') ? Math.max(0, 8 - left.length - right.length) : 0;
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
