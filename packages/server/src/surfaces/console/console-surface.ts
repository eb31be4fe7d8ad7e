import { Problem } from '@memhall/core';
import { Type } from 'typebox';
import type { CodeFlow } from '../../http/oauth/code-flow.js';
import { renderProblem } from '../../http/render-problem.js';
import { defineRoute } from '../../http/route.js';
import type { Surface } from '../../http/surface.js';
import type { TokenVerifier } from '../../http/token-verifier.js';
import { eitherBy } from '../../http/wire-schemas.js';
import { issuerRoutes } from './issuer-routes.js';
import { browserHeaders, cookieHeaders, openSession, Session, setsCookie, signInBytes } from './open-session.js';
import { checkOrigin, endedCookie, readSessionCookie } from './session-cookie.js';
import type { SignInCodes } from './sign-in-codes.js';

export interface ConsoleServices {
  tokens: TokenVerifier;
  codes: SignInCodes;
  /** Absent if nobody can sign in at an issuer. */
  flow: CodeFlow | undefined;
}

const closed = { additionalProperties: false };
const path = '/v1/console/session';
/** Tokens of some identity providers are long. */
const Token = Type.String({ minLength: 1, maxLength: 16_384, pattern: '^[\\x21-\\x7e]+$' });

const signInBody = eitherBy(
  'code',
  Type.Object(
    { code: Type.String({ minLength: 1, maxLength: 128, description: 'From the link that the server printed' }) },
    closed,
  ),
  Type.Object({ token: Token }, closed),
);

/** The session of a person in the console. The console keeps the token in memory, and gets it again with a cookie after a reload. */
export const consoleSurface: Surface<ConsoleServices> = {
  name: 'console',
  title: 'Console',
  description: 'The session of a person in the console.',
  loadExamples: async () => (await import('./console-examples.js')).consoleExamples,
  renderProblem,
  routes: [
    ...issuerRoutes,
    defineRoute({
      operation: 'console.signIn',
      method: 'POST',
      path,
      summary: 'Sign in to the console with a token, or with a code that the server printed.',
      description: 'A code is valid once, for five minutes. For pages of this server only.',
      access: 'open',
      bodyLimitBytes: signInBytes,
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
        return openSession(tokens, token, headers);
      },
    }),
    defineRoute({
      operation: 'console.resume',
      method: 'POST',
      path: `${path}:resume`,
      summary: 'Get the session of the console again, after its page was loaded again.',
      description: 'For pages of this server only.',
      access: 'open',
      bodyLimitBytes: signInBytes,
      request: { headers: cookieHeaders },
      responses: { 200: { description: 'The session', schema: Session, headers: setsCookie } },
      problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'UNAVAILABLE'],
      async handle({ tokens }: ConsoleServices, { headers }) {
        checkOrigin(headers);
        const token = readSessionCookie(headers);
        if (token === undefined) throw new Problem('UNAUTHENTICATED', 'Nobody is signed in to the console.');
        return openSession(tokens, token, headers);
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
      bodyLimitBytes: signInBytes,
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
