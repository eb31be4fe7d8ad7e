import type { PendingSignIn } from '../../http/oauth/code-flow.js';
import { type BrowserHeaders, cookieAttributes, readCookie } from './session-cookie.js';

const name = 'memhall_sign_in';
/** The only path that the cookie is sent to. */
const path = '/v1/console/session:finish';
/** Enough to find a password and a second factor. */
const validSeconds = 600;

/** Keeps the first half of a sign-in in the browser that began it, so that nobody else can finish it. */
export function pendingCookie({ state, nonce, verifier }: PendingSignIn, { origin = '' }: BrowserHeaders): string {
  return cookieAttributes(`${name}=${[state, nonce, verifier].join('.')}`, { path, seconds: validSeconds, origin });
}

/** Returns undefined if this browser began no sign-in in the last minutes. */
export function readPendingCookie(headers: BrowserHeaders): PendingSignIn | undefined {
  const [state, nonce, verifier, ...others] = (readCookie(headers, name) ?? '').split('.');
  if (!state || !nonce || !verifier || others.length > 0) return undefined;
  return { state, nonce, verifier };
}
