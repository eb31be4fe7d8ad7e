import type { IncomingMessage } from 'node:http';

/** By which proxies tell that they forward, besides all that begin with `x-forwarded-`. */
const forwardingHeaders = ['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'];

/** A peer on this machine that speaks for itself: a proxy on loopback names whom it forwards for. */
export function isLocal(request: IncomingMessage): boolean {
  const { headers, socket } = request;
  const isForwarded = Object.keys(headers).some(
    (name) => name.startsWith('x-forwarded-') || forwardingHeaders.includes(name),
  );
  if (isForwarded) return false;
  const address = socket.remoteAddress ?? '';
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
