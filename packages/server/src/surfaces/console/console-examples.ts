import type { RouteExample } from '../../http/route.js';

/** A call of each operation and its answer, as a server gave it. */
export const consoleExamples: Readonly<Record<string, RouteExample>> = {
  'console.signInMethods': { response: { issuer: 'https://id.example.com' } },
  'console.startSignIn': {
    headers: { origin: 'http://127.0.0.1:8010' },
    response: {
      url: 'https://id.example.com/authorize?client_id=memhall-console&response_type=code&scope=openid&redirect_uri=http%3A%2F%2F127.0.0.1%3A8010%2Fconsole%2Fsigned-in&code_challenge_method=S256&code_challenge=…&state=…&nonce=…',
    },
  },
  'console.finishSignIn': {
    headers: { origin: 'http://127.0.0.1:8010', cookie: 'memhall_sign_in=…' },
    body: { query: 'code=…&state=…&iss=https%3A%2F%2Fid.example.com' },
    response: {
      token: 'eyJhbGciOi…',
      expires_at: '2026-11-19T00:05:06.000Z',
      tenant_id: 'default',
      user_id: 'ann',
      service_id: null,
      roles: ['admin'],
    },
  },
  'console.signIn': {
    headers: { origin: 'http://127.0.0.1:8010' },
    body: { code: 'kq3cVbO2mXq0nYt4' },
    response: {
      token: 'eyJhbGciOi…',
      expires_at: '2026-11-19T00:05:06.000Z',
      tenant_id: 'default',
      user_id: 'ann',
      service_id: null,
      roles: ['admin'],
    },
  },
  'console.resume': {
    headers: { origin: 'http://127.0.0.1:8010', cookie: 'memhall_console=eyJhbGciOi…' },
    response: {
      token: 'eyJhbGciOi…',
      expires_at: '2026-11-19T00:05:06.000Z',
      tenant_id: 'default',
      user_id: 'ann',
      service_id: null,
      roles: ['admin'],
    },
  },
  'console.signOut': { headers: { origin: 'http://127.0.0.1:8010' } },
};
