import { Problem } from '@memhall/core';
import { Type } from 'typebox';
import type { CodeFlow } from '../../http/oauth/code-flow.js';
import { defineRoute } from '../../http/route.js';
import type { ConsoleServices } from './console-surface.js';
import { browserHeaders, cookieHeaders, openSession, Session, setsCookie, signInBytes } from './open-session.js';
import { pendingCookie, readPendingCookie } from './pending-cookie.js';
import { checkOrigin } from './session-cookie.js';

const path = '/v1/console/session';
/** The page that the issuer sends the browser back to. */
const landing = '/console/signed-in';
const nullableText = Type.Union([Type.String(), Type.Null()]);
const landed = Type.Object(
  {
    query: Type.String({
      maxLength: 8192,
      description: 'What follows the question mark of the address that the issuer sent the browser back to',
    }),
  },
  { additionalProperties: false },
);

/** Signing in at the issuer of MEMHALL_JWT_ISSUER. */
export const issuerRoutes = [
  defineRoute({
    operation: 'console.signInMethods',
    method: 'GET',
    path: '/v1/console/sign-in',
    summary: 'Get how people can sign in to the console.',
    access: 'open',
    request: {},
    responses: {
      200: {
        description: 'Links and tokens always work',
        schema: Type.Object(
          { issuer: Type.Unsafe<string | null>({ ...nullableText, description: 'null: none is configured' }) },
          { title: 'SignInMethods' },
        ),
      },
    },
    async handle({ flow }: ConsoleServices) {
      return { body: { issuer: flow?.issuer ?? null } };
    },
  }),
  defineRoute({
    operation: 'console.startSignIn',
    method: 'POST',
    path: `${path}:start`,
    summary: 'Begin to sign in to the console at the issuer: authorization code with PKCE.',
    description: 'For pages of this server only. The issuer must know `<origin>/console/signed-in` as a redirect URI.',
    access: 'open',
    bodyLimitBytes: signInBytes,
    request: { headers: browserHeaders },
    responses: {
      200: {
        description: 'Where to send the browser',
        schema: Type.Object({ url: Type.String() }, { title: 'StartedSignIn' }),
        headers: setsCookie,
      },
    },
    problems: ['NOT_FOUND', 'FORBIDDEN', 'UNAVAILABLE'],
    async handle({ flow }: ConsoleServices, { headers }) {
      checkOrigin(headers);
      const { url, pending } = await requireFlow(flow).begin(`${headers.origin}${landing}`);
      return { headers: { 'set-cookie': pendingCookie(pending, headers) }, body: { url: url.href } };
    },
  }),
  defineRoute({
    operation: 'console.finishSignIn',
    method: 'POST',
    path: `${path}:finish`,
    summary: 'Finish signing in to the console with what the issuer sent the browser back with.',
    description: 'For pages of this server only, in the browser that began it.',
    access: 'open',
    bodyLimitBytes: signInBytes,
    request: { headers: cookieHeaders, body: landed },
    responses: { 200: { description: 'The session', schema: Session, headers: setsCookie } },
    problems: ['NOT_FOUND', 'UNAUTHENTICATED', 'FORBIDDEN', 'UNAVAILABLE'],
    async handle({ flow, tokens }: ConsoleServices, { headers, body }) {
      checkOrigin(headers);
      const issuer = requireFlow(flow);
      const pending = readPendingCookie(headers);
      if (pending === undefined) {
        throw new Problem(
          'UNAUTHENTICATED',
          'This browser did not begin to sign in within the last ten minutes. Try again.',
        );
      }
      const found = await issuer.finish(new URL(`${headers.origin}${landing}?${body.query}`), pending);
      return openFirst(found, (token) => openSession(tokens, token, headers));
    },
  }),
];

function requireFlow(flow: CodeFlow | undefined): CodeFlow {
  if (flow !== undefined) return flow;
  throw new Problem(
    'NOT_FOUND',
    'Nobody can sign in at an issuer here. Set MEMHALL_CONSOLE_CLIENT_ID, or use a token.',
  );
}

/** Opens a session with the first token that this server accepts. Throws what is wrong with the first one if it accepts none. */
async function openFirst<T>([first, ...others]: readonly string[], open: (token: string) => Promise<T>): Promise<T> {
  try {
    return await open(first ?? '');
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'UNAUTHENTICATED') throw error;
    for (const token of others) {
      const opened = await open(token).catch(() => undefined);
      if (opened !== undefined) return opened;
    }
    const message = `The issuer signed you in, but this server does not accept its token. ${error.message} Its audience must be that of MEMHALL_JWT_AUDIENCE.`;
    throw new Problem('UNAUTHENTICATED', message, { cause: error });
  }
}
