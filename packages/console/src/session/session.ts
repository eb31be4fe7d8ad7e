import type { ConsoleSession } from '@memhall/client/operations';
import { MemhallError, OperationsClient } from '@memhall/client/operations';

export type Session = ConsoleSession;

const landingPath = '/console/signed-in';
const returnKey = 'memhall.return';

/** Calls that need no token. */
const open = new OperationsClient({ baseUrl: window.location.origin, token: '', retries: 0 });

/** The token stays in this page's memory. A cookie that scripts cannot read brings it back after a reload. */
export async function findSession(): Promise<Session | null> {
  const code = takeCode();
  if (code !== null) return signIn({ code });
  const landed = takeLanding();
  if (landed !== null) return (await open.call('console.finishSignIn', { path: {}, body: { query: landed } })).answer;
  try {
    return (await open.call('console.resume', { path: {} })).answer;
  } catch (error) {
    if (error instanceof MemhallError && error.status === 401) return null;
    throw error;
  }
}

export async function signIn(by: { code: string } | { token: string }): Promise<Session> {
  return (await open.call('console.signIn', { path: {}, body: by })).answer;
}

export async function signOut(): Promise<void> {
  await open.call('console.signOut', { path: {} });
}

/** Returns the issuer that people can sign in at; null if there is none. */
export async function findIssuer(): Promise<string | null> {
  return (await open.call('console.signInMethods', { path: {} })).answer.issuer;
}

/** Leaves for the issuer, which sends the browser back to `landingPath`. Only where the person was is remembered here. */
export async function leaveForIssuer(): Promise<void> {
  const { url } = (await open.call('console.startSignIn', { path: {} })).answer;
  window.sessionStorage.setItem(returnKey, window.location.pathname + window.location.search);
  window.location.assign(url);
}

/** Takes what the issuer sent back out of the address at once, and goes back to where the person was. */
function takeLanding(): string | null {
  const { pathname, search } = window.location;
  if (pathname !== landingPath || search === '') return null;
  const before = window.sessionStorage.getItem(returnKey) ?? '';
  window.sessionStorage.removeItem(returnKey);
  const isOwn = before.startsWith('/console') && !before.startsWith(landingPath);
  window.history.replaceState(null, '', isOwn ? before : '/console/');
  return search.slice(1);
}

/** Removes the code from the address at once, so that it is in no bookmark. Browsers never send fragments to servers. */
function takeCode(): string | null {
  const code = new URLSearchParams(window.location.hash.slice(1)).get('code');
  if (code !== null) window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return code;
}
