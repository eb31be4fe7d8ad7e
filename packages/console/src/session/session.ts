import type { ConsoleSession } from '@memhall/client/operations';
import { MemhallError, OperationsClient } from '@memhall/client/operations';

export type Session = ConsoleSession;

/** Calls that need no token. */
const open = new OperationsClient({ baseUrl: window.location.origin, token: '', retries: 0 });

/** The token stays in this page's memory. A cookie that scripts cannot read brings it back after a reload. */
export async function findSession(): Promise<Session | null> {
  const code = takeCode();
  if (code !== null) return signIn({ code });
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

/** Removes the code from the address at once, so that it is in no bookmark. Browsers never send fragments to servers. */
function takeCode(): string | null {
  const code = new URLSearchParams(window.location.hash.slice(1)).get('code');
  if (code !== null) window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return code;
}
