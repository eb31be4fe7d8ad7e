import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface AuthorizationServer {
  issuer: string;
  /** Logs a user in and grants what a client asks for, as a browser would. Returns where the browser ends. */
  authorize(address: URL, user: string): Promise<URL>;
  close(): Promise<void>;
}

/** Starts a real authorization server: dynamic registration, PKCE, resource indicators, and signed access tokens. */
export async function startAuthorizationServer(tenantOf: (user: string) => string): Promise<AuthorizationServer> {
  const server = createServer((request, response) => void provider.callback()(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    scopes: ['openid', 'offline_access', 'memory:read', 'memory:write'],
    cookies: { keys: ['only in tests'] },
    // A native client may be on any port.
    clients: [
      {
        ...{ client_id: 'console', token_endpoint_auth_method: 'none', application_type: 'native' },
        ...{ redirect_uris: ['http://127.0.0.1/console/signed-in'] },
        ...{ grant_types: ['authorization_code'], response_types: ['code'] },
      },
    ],
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    extraTokenClaims: (_context, token) =>
      'accountId' in token
        ? { tenant_id: tenantOf(token.accountId ?? ''), client: 'mcp', roles: ['admin'] }
        : undefined,
    features: {
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          ...{ scope: 'memory:read memory:write', audience: resource },
          ...{ accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } },
        }),
      },
    },
  });
  return {
    issuer,
    authorize: (address, user) => browse(address, user),
    close: () => new Promise((done) => server.close(() => done()).closeAllConnections()),
  };
}

/** Follows redirects, and submits the forms for login and consent, until it is sent away from the server. */
async function browse(start: URL, user: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let address = start;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step++) {
    if (address.origin !== start.origin) return address;
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const page = await response.text();
    const location = response.headers.get('location');
    if (location !== null) {
      address = new URL(location, address);
      form = undefined;
      continue;
    }
    const [, action = ''] = /<form[^>]*action="([^"]+)"/.exec(page) ?? [];
    if (action === '') throw new Error(`no form in the page: ${page.slice(0, 500)}`);
    address = new URL(action, address);
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
    form = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login: user, password: 'any' } : {}) });
  }
  throw new Error('the login does not end');
}
