import { Problem } from '@memhall/core';

const name = 'memhall_console';
/** The only paths that the cookie is sent to. All other calls need the token itself. */
const path = '/v1/console';

export interface BrowserHeaders {
  host?: string;
  origin?: string;
  cookie?: string;
}

/** Throws FORBIDDEN unless a page of this server sends the request. Browsers do not let pages choose their Origin header. */
export function checkOrigin({ origin, host }: BrowserHeaders): void {
  if (origin !== undefined && URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()) return;
  throw new Problem(
    'FORBIDDEN',
    'Only the console may call this, from the same host: the Origin header must name the host of the Host header. A proxy in front of the server must keep the Host header.',
  );
}

/** Keeps the token out of the reach of scripts. Secure if the page was loaded over HTTPS. */
export function sessionCookie(token: string, { expiresAt, origin }: { expiresAt: Date; origin: string }): string {
  const seconds = Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000));
  return cookieAttributes(`${name}=${token}`, { path, seconds, origin });
}

export function endedCookie(origin: string): string {
  return cookieAttributes(`${name}=`, { path, seconds: 0, origin });
}

export function readSessionCookie(headers: BrowserHeaders): string | undefined {
  return readCookie(headers, name);
}

export function readCookie({ cookie = '' }: BrowserHeaders, wanted: string): string | undefined {
  const found = cookie
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${wanted}=`));
  return found?.slice(wanted.length + 1) || undefined;
}

export function cookieAttributes(
  pair: string,
  { path, seconds, origin }: { path: string; seconds: number; origin: string },
): string {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${pair}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}
