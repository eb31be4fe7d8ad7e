import { constants, generateKeyPairSync, type KeyObject, privateDecrypt, publicEncrypt } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { textOf } from './managed-identity-stand-in.js';

interface Version {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/**
 * A stand-in for Azure Key Vault, which cannot be reached from tests. Speaks its wire format: challenge, `GET` of a key, `wrapkey` and `unwrapkey` with RSA-OAEP-256.
 */
export class KeyVaultStandIn {
  /** `denies`: the identity lacks permissions. `failing`: the service has an outage. */
  state: 'ok' | 'denies' | 'failing' = 'ok';
  readonly calls: string[] = [];
  readonly #versions = new Map<string, Version>();
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then(({ status, body, headers = {} }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
  });

  async start(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    this.rotate();
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get keyUrl(): string {
    return `${this.#origin}/keys/memhall`;
  }

  /** Adds a version of the key, as Key Vault's own rotation does. Returns its id. */
  rotate(): string {
    const version = String(this.#versions.size + 1).repeat(32);
    this.#versions.set(version, generateKeyPairSync('rsa', { modulusLength: 2048 }));
    return `${this.keyUrl}/${version}`;
  }

  async #answer(
    request: IncomingMessage,
  ): Promise<{ status: number; body: unknown; headers?: Record<string, string> }> {
    const { pathname } = new URL(request.url ?? '', this.#origin);
    const [, , , given = '', operation = 'get'] = pathname.split('/');
    const version = given === '' ? [...this.#versions.keys()].at(-1) : given;
    if (request.headers.authorization === undefined) {
      const challenge = `Bearer authorization="https://login.windows.net/tenant", resource="https://vault.azure.net"`;
      return { status: 401, body: {}, headers: { 'www-authenticate': challenge } };
    }
    this.calls.push(operation);
    const problem = (code: string) => ({ error: { code, message: code } });
    if (this.state === 'denies') return { status: 403, body: problem('Forbidden') };
    if (this.state === 'failing') return { status: 503, body: problem('ServiceUnavailable') };
    const key = this.#versions.get(version ?? '');
    if (key === undefined) return { status: 404, body: problem('KeyNotFound') };
    const kid = `${this.keyUrl}/${version}`;
    if (operation === 'get') {
      const attributes = { enabled: true, created: 1, updated: 1 };
      return { status: 200, body: { key: { ...key.publicKey.export({ format: 'jwk' }), kid }, attributes } };
    }
    const { value } = JSON.parse(await textOf(request)) as { value: string };
    const input = Buffer.from(value, 'base64url');
    const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
    try {
      const output =
        operation === 'wrapkey'
          ? publicEncrypt({ key: key.publicKey, ...padding }, input)
          : privateDecrypt({ key: key.privateKey, ...padding }, input);
      return { status: 200, body: { kid, value: output.toString('base64url') } };
    } catch {
      return { status: 400, body: problem('BadParameter') };
    }
  }
}
