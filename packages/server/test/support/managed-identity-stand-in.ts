import type { IncomingMessage } from 'node:http';

const identityHeader = 'of this app only';

/** What Azure sets in the environment of an app that has a managed identity. */
export function identityEnvironment(origin: string): Record<string, string> {
  return { IDENTITY_ENDPOINT: `${origin}/identity`, IDENTITY_HEADER: identityHeader };
}

/** Responds as the token endpoint of an app does. */
export function issueToken(request: IncomingMessage, resource: string | null): { status: number; body: unknown } {
  if (request.headers['x-identity-header'] !== identityHeader) return { status: 401, body: {} };
  const now = Math.floor(Date.now() / 1000);
  const expires = now + 3600;
  const claims = { aud: resource, iss: 'https://sts.windows.net/tenant/', iat: now, nbf: now - 60, exp: expires };
  const token = [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return {
    status: 200,
    body: {
      access_token: `${token.join('.')}.`,
      expires_on: String(expires),
      resource,
      token_type: 'Bearer',
      client_id: 'app',
    },
  };
}

export async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
