import { Type } from 'typebox';
import { roles } from '../../engine/caller.js';
import type { Identity } from '../../http/identity.js';
import type { TokenVerifier } from '../../http/token-verifier.js';
import { Timestamp } from '../../http/wire-schemas.js';
import { type BrowserHeaders, sessionCookie } from './session-cookie.js';

const nullableText = Type.Union([Type.String(), Type.Null()]);

export const browserHeaders = Type.Object({
  origin: Type.Optional(Type.String({ description: 'Must name the host that the request is sent to' })),
  host: Type.Optional(Type.String()),
});

export const cookieHeaders = Type.Object({
  ...browserHeaders.properties,
  cookie: Type.Optional(Type.String({ description: 'As signing in set it' })),
});

export const Session = Type.Object(
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

export const setsCookie = { 'set-cookie': 'HttpOnly and SameSite=Strict, for /v1/console only' };

/** Anybody may send a body, and it is parsed before anything is known about them. A token has at most 16 KiB. */
export const signInBytes = 64 * 1024;

/** Throws UNAUTHENTICATED unless the token is valid. */
export async function openSession(tokens: TokenVerifier, token: string, { origin = '' }: BrowserHeaders) {
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
