import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, SignJWT } from 'jose';
import { makeKey, type SigningKey } from './key-set-server.js';

/** An identity provider that serves its metadata and keys, and can be made to misbehave. */
export interface IssuerStandIn {
  issuer: string;
  /** Paths that were asked for. */
  asked: string[];
  /** Answers instead of the metadata if it is set. */
  instead: ((response: ServerResponse) => void) | undefined;
  /** Members of the metadata that are different. */
  metadata: { [member: string]: unknown };
  sign(claims: { [name: string]: unknown }): Promise<string>;
  stop(): void;
}

export async function startIssuer(path = ''): Promise<IssuerStandIn> {
  const key: SigningKey = await makeKey('ES256', 'k1');
  const server = createServer(async ({ url = '' }, response) => {
    standIn.asked.push(url);
    if (url === '/keys')
      return response.end(JSON.stringify({ keys: [{ ...(await exportJWK(key.publicKey)), kid: key.id }] }));
    if (url !== `${path}/.well-known/openid-configuration`) return response.writeHead(404).end();
    if (standIn.instead !== undefined) return standIn.instead(response);
    const metadata = { issuer: standIn.issuer, jwks_uri: `${origin}/keys`, ...standIn.metadata };
    return response.end(JSON.stringify(metadata));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const standIn: IssuerStandIn = {
    issuer: `${origin}${path}`,
    asked: [],
    instead: undefined,
    metadata: {},
    sign(claims) {
      const now = Math.floor(Date.now() / 1000);
      const payload = { iss: standIn.issuer, sub: 'ann', exp: now + 600, scope: 'memory:read memory:write', ...claims };
      return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: key.id, typ: 'at+jwt' }).sign(key.privateKey);
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return standIn;
}
