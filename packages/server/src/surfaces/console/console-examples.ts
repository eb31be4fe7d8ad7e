import type { RouteExample } from '../../http/route.js';

/** A call of each operation and its answer, as a server gave it. */
export const consoleExamples: Readonly<Record<string, RouteExample>> = {
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
