import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export const issuer = 'https://id.example/';
export const audience = 'memhall';

export interface SigningKey {
  algorithm: 'RS256' | 'ES256';
  id: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

export async function makeKey(algorithm: SigningKey['algorithm'], id: string): Promise<SigningKey> {
  return { algorithm, id, ...(await generateKeyPair(algorithm, { extractable: true })) };
}

/** Returns a token of an identity provider, valid for ten minutes; undefined removes a claim. */
export function sign(key: SigningKey, claims: Record<string, unknown> = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const payload = { iss: issuer, aud: audience, exp: now + 600, tenant_id: 't1', sub: 'u1', ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: key.algorithm, kid: key.id }).sign(key.privateKey);
}

/** Serves the key set of an identity provider. */
export class KeySetServer {
  keys: SigningKey[] = [];
  /** What the server returns: its keys, an error, something else, or nothing. */
  state: 'ok' | 'failing' | 'not json' | 'not a key set' | 'down' = 'ok';
  readonly #server = createServer(async (_request, response) => {
    if (this.state === 'down') return response.destroy();
    if (this.state === 'failing') return response.writeHead(500).end();
    if (this.state === 'not json') return response.end('<html>');
    if (this.state === 'not a key set') return response.end('{"keys":"none"}');
    const keys = this.keys.map(async (key) => ({
      ...(await exportJWK(key.publicKey)),
      kid: key.id,
      alg: key.algorithm,
    }));
    return response.end(JSON.stringify({ keys: await Promise.all(keys) }));
  });

  start(): Promise<void> {
    return new Promise((done) => this.#server.listen(0, '127.0.0.1', done));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/keys`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
