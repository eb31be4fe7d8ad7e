import type { IncomingMessage } from 'node:http';
import { isLoopbackAddress } from './loopback.js';

/** Headers that proxies add to forwarded requests, in addition to all that start with `x-forwarded-`. */
const forwardingHeaders = ['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'];

/** Returns whether the peer is on this machine and is not a proxy that forwards for another client. */
export function isLocal(request: IncomingMessage): boolean {
  const { headers, socket } = request;
  const isForwarded = Object.keys(headers).some(
    (name) => name.startsWith('x-forwarded-') || forwardingHeaders.includes(name),
  );
  if (isForwarded) return false;
  return isLoopbackAddress(socket.remoteAddress ?? '');
}
