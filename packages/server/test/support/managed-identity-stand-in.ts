import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, vi } from 'vitest';

const identityHeader = 'of this app only';

export interface ManagedIdentity {
  /** What Azure sets in the environment of an app that has a managed identity. */
  environment: Record<string, string>;
  /** The resources that tokens were issued for. */
  issuedFor: string[];
}

let started: Promise<ManagedIdentity> | undefined;

/**
 * A stand-in for the token endpoint that Azure gives an app with a managed identity. There is one for all suites of a
 * worker, because the library keeps the first endpoint that it used.
 */
export function useManagedIdentity(): () => ManagedIdentity {
  let identity: ManagedIdentity | undefined;
  beforeAll(async () => {
    started ??= startIdentity();
    identity = await started;
    for (const [name, value] of Object.entries(identity.environment)) vi.stubEnv(name, value);
  });
  afterAll(() => void vi.unstubAllEnvs());
  return () => {
    if (identity === undefined) throw new Error('the identity is there only while tests run');
    return identity;
  };
}

async function startIdentity(): Promise<ManagedIdentity> {
  const issuedFor: string[] = [];
  const server = createServer((request, response) => issueToken(request, response, issuedFor)).unref();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/identity`;
  return { environment: { IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: identityHeader }, issuedFor };
}

function issueToken(request: IncomingMessage, response: ServerResponse, issuedFor: string[]): void {
  if (request.headers['x-identity-header'] !== identityHeader) {
    response.writeHead(401).end();
    return;
  }
  const resource = new URL(request.url ?? '', 'http://identity').searchParams.get('resource') ?? '';
  issuedFor.push(resource);
  const now = Math.floor(Date.now() / 1000);
  const expires = now + 3600;
  const claims = { aud: resource, iss: 'https://sts.windows.net/tenant/', iat: now, nbf: now - 60, exp: expires };
  const token = [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const body = { access_token: `${token.join('.')}.`, expires_on: String(expires), resource, token_type: 'Bearer' };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...body, client_id: 'app' }));
}

export async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
