import { isIP } from 'node:net';
import { isLoopbackName } from '../loopback.js';
import { fetchDocument } from './fetch-json.js';

/**
 * Returns the address of the key set that an issuer publishes (RFC 8414, OpenID Connect Discovery). Throws an error that
 * says what is wrong with its metadata.
 */
export async function discoverKeySet(issuer: string): Promise<URL> {
  for (const address of metadataAddresses(issuer)) {
    const metadata = await fetchDocument(address);
    if (metadata === undefined) continue;
    if (metadata.issuer !== issuer)
      throw new Error(`its metadata names the issuer ${JSON.stringify(metadata.issuer)}: configure exactly that`);
    return checkedKeySet(issuer, metadata.jwks_uri);
  }
  throw new Error(`it publishes no metadata at ${metadataAddresses(issuer).join(' or ')}`);
}

/** In the order that the specification of MCP asks of clients. */
export function metadataAddresses(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]),
  ];
}

/** The address comes from outside: it must not lead this server to addresses of its own network. */
function checkedKeySet(issuer: string, given: unknown): URL {
  if (typeof given !== 'string' || !URL.canParse(given)) throw new Error('its metadata has no jwks_uri');
  const url = new URL(given);
  const own = new URL(issuer);
  const isElsewhere = url.origin !== own.origin;
  const isInside = isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) !== 0 || isLoopbackName(url.host);
  if (url.username !== '' || url.password !== '' || (isElsewhere && (url.protocol !== 'https:' || isInside)))
    throw new Error('its jwks_uri is neither on the host of the issuer nor an https address of a named host');
  return url;
}
