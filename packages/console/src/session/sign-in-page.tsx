import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { ErrorNote } from '../parts/error-note.js';
import { Logo } from '../parts/logo.js';
import { type Session, signIn } from './session.js';

/** Asks for a token. `children` says why the last session ended. */
export function SignInPage({ onSignedIn, children }: { onSignedIn(session: Session): void; children?: ReactNode }) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const fieldId = useId();
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
        <p className="muted">
          On a terminal of this machine, <code>npm start</code> prints a link that signs you in once. Otherwise paste a
          token:
        </p>
        {error === undefined && children}
        {error !== undefined && <ErrorNote error={error} />}
        <label htmlFor={fieldId}>Token</label>
        <textarea id={fieldId} name="token" rows={4} required autoComplete="off" spellCheck={false} className="mono" />
        <button type="submit" className="button primary" disabled={isBusy}>
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
