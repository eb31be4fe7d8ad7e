import { WrongUse } from '../faults.js';

export interface PluginTarget {
  /** `http://…`, `https://…` or `unix:/path/to/socket`. */
  url: string;
  /** Sent as a bearer token. */
  token?: string;
  /** Timeout of a single call. */
  timeoutMs?: number;
  /** Length of embeddings. If absent, the usual lengths are tried. */
  embeddingLength?: number;
}

/** Address of a target, in the format of node:http. */
export interface Address {
  protocol: 'http:' | 'https:';
  hostname?: string;
  port?: string;
  socketPath?: string;
  /** Path before `/v1`. */
  prefix: string;
}

export function parseTarget(url: string): Address {
  if (url.startsWith('unix:')) {
    const socketPath = url.slice('unix:'.length);
    if (!socketPath.startsWith('/'))
      throw new WrongUse('A socket must be given by its absolute path, such as unix:/run/plugin.sock.');
    return { protocol: 'http:', socketPath, prefix: '' };
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw new WrongUse('The target must be a URL: http://host:port, https://host or unix:/path/to/socket.');
  }
  if (parsed.username !== '' || parsed.search !== '' || parsed.hash !== '') {
    throw new WrongUse('The target must not contain a user, query or fragment. Pass a token with --token.');
  }
  return {
    protocol: parsed.protocol,
    hostname: parsed.hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(parsed.port === '' ? {} : { port: parsed.port }),
    prefix: parsed.pathname.replace(/\/+$/, ''),
  };
}
