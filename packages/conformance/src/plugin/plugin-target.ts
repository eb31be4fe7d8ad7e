import { WrongUse } from '../faults.js';

export interface PluginTarget {
  /** `http://…`, `https://…` or `unix:/path/to/socket`. */
  url: string;
  /** Sent as a bearer token. */
  token?: string;
  /** How long a single call may take. */
  timeoutMs?: number;
  /** How long embeddings must be; absent: the usual lengths are tried. */
  embeddingLength?: number;
}

/** Where a target listens, as node:http takes it. */
export interface Address {
  protocol: 'http:' | 'https:';
  hostname?: string;
  port?: string;
  socketPath?: string;
  /** What stands before `/v1`. */
  prefix: string;
}

export function parseTarget(url: string): Address {
  if (url.startsWith('unix:')) {
    const socketPath = url.slice('unix:'.length);
    if (!socketPath.startsWith('/'))
      throw new WrongUse(`A socket is named by its whole path, as in unix:/run/plugin.sock.`);
    return { protocol: 'http:', socketPath, prefix: '' };
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw new WrongUse('The target must be a URL: http://host:port, https://host or unix:/path/to/socket.');
  }
  if (parsed.username !== '' || parsed.search !== '' || parsed.hash !== '') {
    throw new WrongUse('The target is an address only: no user, query or fragment; a token goes with --token.');
  }
  return {
    protocol: parsed.protocol,
    hostname: parsed.hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(parsed.port === '' ? {} : { port: parsed.port }),
    prefix: parsed.pathname.replace(/\/+$/, ''),
  };
}
