import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { ApiProvider } from '../api/api.js';
import { ErrorNote } from '../parts/error-note.js';
import { ToastProvider } from '../parts/toasts.js';
import { findSession, type Session, signOut } from './session.js';
import { SignInPage } from './sign-in-page.js';

type State = { step: 'looking' } | { step: 'out'; error?: unknown } | { step: 'in'; session: Session };

let found: Promise<Session | null> | undefined;

/** Shows the pages to a person who is signed in, and the sign-in page to others. */
export function SessionGate({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State>({ step: 'looking' });
  const queries = useMemo(() => newQueryClient(() => setState({ step: 'out', error: sessionEnded })), []);
  useEffect(() => {
    const enter = (looking: Promise<Session | null>) =>
      looking.then(
        (session) => setState(session === null ? { step: 'out' } : { step: 'in', session }),
        (error) => setState({ step: 'out', error }),
      );
    found ??= findSession();
    void enter(found);
    // A link that is opened in a tab with the console changes only the fragment.
    const changed = () => {
      if (!window.location.hash.startsWith('#code=')) return;
      queries.clear();
      void enter(findSession());
    };
    window.addEventListener('hashchange', changed);
    return () => window.removeEventListener('hashchange', changed);
  }, [queries]);
  if (state.step === 'looking') return <p className="page-wait">Loading…</p>;
  if (state.step === 'out') {
    return (
      <SignInPage onSignedIn={(session) => setState({ step: 'in', session })}>
        {state.error !== undefined && <ErrorNote error={state.error} />}
      </SignInPage>
    );
  }
  const leave = async () => {
    await signOut();
    queries.clear();
    setState({ step: 'out' });
  };
  return (
    <QueryClientProvider client={queries}>
      <ApiProvider session={state.session} signOut={leave}>
        <ToastProvider>{children}</ToastProvider>
      </ApiProvider>
    </QueryClientProvider>
  );
}

const sessionEnded = new Error('The session has ended: its token expired or was revoked. Sign in again.');

function newQueryClient(onEnded: () => void): QueryClient {
  const client: QueryClient = new QueryClient({
    // The client itself repeats calls that are safe to repeat.
    defaultOptions: { queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: false } },
  });
  const watch = (error: unknown) => {
    if ((error as { status?: number } | null)?.status !== 401) return;
    client.clear();
    onEnded();
  };
  client.getQueryCache().config.onError = watch;
  client.getMutationCache().config.onError = watch;
  return client;
}
