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
  return attributes(`${name}=${token}`, seconds, origin);
}

export function endedCookie(origin: string): string {
  return attributes(`${name}=`, 0, origin);
}

export function readSessionCookie({ cookie = '' }: BrowserHeaders): string | undefined {
  const found = cookie
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1) || undefined;
}

function attributes(pair: string, seconds: number, origin: string): string {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${pair}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}
