import { Problem } from '@memhall/core';
import { Type } from 'typebox';
import { roles } from '../../engine/caller.js';
import type { Identity } from '../../http/identity.js';
import { renderProblem } from '../../http/render-problem.js';
import { defineRoute } from '../../http/route.js';
import type { Surface } from '../../http/surface.js';
import type { TokenVerifier } from '../../http/token-verifier.js';
import { eitherBy, Timestamp } from '../../http/wire-schemas.js';
import { type BrowserHeaders, checkOrigin, endedCookie, readSessionCookie, sessionCookie } from './session-cookie.js';
import type { SignInCodes } from './sign-in-codes.js';

export interface ConsoleServices {
  tokens: TokenVerifier;
  codes: SignInCodes;
}

const closed = { additionalProperties: false };
const path = '/v1/console/session';
/** Tokens of some identity providers are long. */
const Token = Type.String({ minLength: 1, maxLength: 16_384, pattern: '^[\\x21-\\x7e]+$' });
const nullableText = Type.Union([Type.String(), Type.Null()]);

const browserHeaders = Type.Object({
  origin: Type.Optional(Type.String({ description: 'Must name the host that the request is sent to' })),
  host: Type.Optional(Type.String()),
});
const cookieHeaders = Type.Object({
  ...browserHeaders.properties,
  cookie: Type.Optional(Type.String({ description: '`memhall_console`, as signing in set it' })),
});

const signInBody = eitherBy(
  'code',
  Type.Object(
    { code: Type.String({ minLength: 1, maxLength: 128, description: 'From the link that the server printed' }) },
    closed,
  ),
  Type.Object({ token: Token }, closed),
);

const Session = Type.Object(
  {
    token: Type.String({ description: 'For the Authorization header of all other calls' }),
    expires_at: Timestamp,
    tenant_id: Type.String(),
    user_id: nullableText,
    service_id: nullableText,
    roles: Type.Array(Type.Enum([...roles])),
  },
  { title: 'ConsoleSession' },
);

const setsCookie = { 'set-cookie': 'HttpOnly and SameSite=Strict, for /v1/console only' };

/** The session of a person in the console. The console keeps the token in memory, and gets it again with a cookie after a reload. */
export const consoleSurface: Surface<ConsoleServices> = {
  name: 'console',
  title: 'Console',
  description: 'The session of a person in the console.',
  loadExamples: async () => (await import('./console-examples.js')).consoleExamples,
  renderProblem,
  routes: [
    defineRoute({
      operation: 'console.signIn',
      method: 'POST',
      path,
      summary: 'Sign in to the console with a token, or with a code that the server printed.',
      description: 'A code is valid once, for five minutes. For pages of this server only.',
      access: 'open',
      request: { headers: browserHeaders, body: signInBody },
      responses: { 200: { description: 'The session', schema: Session, headers: setsCookie } },
      problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'UNAVAILABLE'],
      async handle({ tokens, codes }: ConsoleServices, { headers, body }) {
        checkOrigin(headers);
        const token = 'code' in body ? codes.redeem(body.code) : body.token;
        if (token === undefined) {
          throw new Problem(
            'UNAUTHENTICATED',
            'This link was used before, or is older than five minutes. Restart the server for a new one, or paste a token.',
          );
        }
        return open(tokens, token, headers);
      },
    }),
    defineRoute({
      operation: 'console.resume',
      method: 'POST',
      path: `${path}:resume`,
      summary: 'Get the session of the console again, after its page was loaded again.',
      description: 'For pages of this server only.',
      access: 'open',
      request: { headers: cookieHeaders },
      responses: { 200: { description: 'The session', schema: Session, headers: setsCookie } },
      problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'UNAVAILABLE'],
      async handle({ tokens }: ConsoleServices, { headers }) {
        checkOrigin(headers);
        const token = readSessionCookie(headers);
        if (token === undefined) throw new Problem('UNAUTHENTICATED', 'Nobody is signed in to the console.');
        return open(tokens, token, headers);
      },
    }),
    defineRoute({
      operation: 'console.signOut',
      method: 'DELETE',
      path,
      summary: 'Sign out of the console.',
      description:
        'Removes the cookie. The token stays valid until it expires or is revoked. For pages of this server only.',
      access: 'open',
      request: { headers: browserHeaders },
      responses: { 204: { description: 'Signed out', headers: setsCookie } },
      problems: ['FORBIDDEN'],
      async handle(_services: ConsoleServices, { headers }) {
        checkOrigin(headers);
        return { headers: { 'set-cookie': endedCookie(headers.origin ?? '') } };
      },
    }),
  ],
};

async function open(tokens: TokenVerifier, token: string, { origin = '' }: BrowserHeaders) {
  const identity = await tokens.identify(`Bearer ${token}`);
  // Verified tokens have one.
  const expiresAt = identity.expiresAt ?? new Date();
  return {
    headers: { 'set-cookie': sessionCookie(token, { expiresAt, origin }) },
    body: { token, expires_at: expiresAt.toISOString(), ...toHolder(identity) },
  };
}

function toHolder({ tenantId, userId, serviceId, roles }: Identity) {
  return { tenant_id: tenantId, user_id: userId, service_id: serviceId, roles: [...roles] };
}
