import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Returns whether an IP address, without brackets, is a loopback address of IPv4, IPv6 or IPv4 in IPv6. */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  // Blocklists reject addresses with a zone, such as ::1%lo.
  return family !== 0 && !address.includes('%') && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Returns whether a Host header is a loopback name or address. */
export function isLoopbackName(host: string): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return name === 'localhost' || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'));
}

/** Returns whether a listener bound to this address or host name can be reached only from this machine. */
export async function bindsToLoopback(host: string): Promise<boolean> {
  if (isIP(host) !== 0) return isLoopbackAddress(host);
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.length > 0 && found.every(({ address }) => isLoopbackAddress(address));
}
