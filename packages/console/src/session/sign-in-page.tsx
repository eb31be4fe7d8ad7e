import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { ErrorNote } from '../parts/error-note.js';
import { Logo } from '../parts/logo.js';
import { findIssuer, leaveForIssuer, type Session, signIn } from './session.js';

/** Asks for a token. `children` says why the last session ended. */
export function SignInPage({ onSignedIn, children }: { onSignedIn(session: Session): void; children?: ReactNode }) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [issuer, setIssuer] = useState<string | null>(null);
  const fieldId = useId();
  useEffect(() => {
    // Without an answer, a token still works.
    findIssuer().then(setIssuer, () => undefined);
  }, []);
  const leave = async () => {
    setBusy(true);
    setError(undefined);
    await leaveForIssuer().catch((caught: unknown) => {
      setError(caught);
      setBusy(false);
    });
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget).get('token')).trim();
    setBusy(true);
    setError(undefined);
    try {
      onSignedIn(await signIn({ token }));
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <form onSubmit={submit} className="sign-in-card">
        <Logo />
        <h1>Sign in to Memhall</h1>
        {error === undefined && children}
        {error !== undefined && <ErrorNote error={error} />}
        {issuer !== null && (
          <>
            <button type="button" className="button primary" disabled={isBusy} onClick={leave}>
              Sign in with {new URL(issuer).host}
            </button>
            <hr className="separator" />
          </>
        )}
        <p className="muted">
          On a terminal of this machine, <code>npm start</code> prints a link that signs you in once. Otherwise paste a
          token:
        </p>
        <label htmlFor={fieldId}>Token</label>
        <textarea id={fieldId} name="token" rows={4} required autoComplete="off" spellCheck={false} className="mono" />
        <button type="submit" className={issuer === null ? 'button primary' : 'button'} disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
        <p className="muted small">
          <code>npx memhall token --tenant default --user me</code> prints one. Add <code>--role admin</code> to govern
          a tenant, <code>--role operator</code> to see how the server does.
        </p>
      </form>
    </main>
  );
}
