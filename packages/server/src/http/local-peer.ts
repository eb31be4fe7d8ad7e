import type { IncomingMessage } from 'node:http';

/** A peer on this machine that speaks for itself: a proxy on loopback names whom it forwards for. */
export function isLocal(request: IncomingMessage): boolean {
  const { headers, socket } = request;
  if (
    headers['x-forwarded-for'] !== undefined ||
    headers.forwarded !== undefined ||
    headers['x-real-ip'] !== undefined
  ) {
    return false;
  }
  const address = socket.remoteAddress ?? '';
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
