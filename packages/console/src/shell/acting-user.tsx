import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useActing, useApi, useRights } from '../api/api.js';
import { Dialog } from '../parts/dialog.js';

/** Says whose memory the pages show. Tokens that may act for others can choose. */
export function ActingUser() {
  const { tenantId, userId, isOther } = useActing();
  const { session } = useApi();
  const { others } = useRights();
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const show = (user: string | undefined) => {
    setOpen(false);
    navigate({ to: '.', search: (all) => ({ ...all, user: user === session.user_id ? undefined : user }) });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const user = String(new FormData(event.currentTarget).get('user')).trim();
    if (user !== '') show(user);
  };
  const name = (
    <>
      <span className="muted">{tenantId} /</span> {userId || 'no user'}
    </>
  );
  if (!others) return <span className="acting">{name}</span>;
  return (
    <>
      <button
        type="button"
        className={isOther ? 'button acting other' : 'button acting'}
        title="Whose memory is shown"
        onClick={() => setOpen(true)}
      >
        {name}
      </button>
      {isOpen && (
        <Dialog title="Act for a user" onClose={() => setOpen(false)}>
          <p className="muted">
            The pages show the memory of this user of tenant <code>{tenantId}</code>, and changes are made for them,
            under your name.
          </p>
          <form onSubmit={submit} className="row">
            <input name="user" aria-label="User id" defaultValue={userId} required maxLength={128} autoComplete="off" />
            <button type="submit" className="button primary">
              Show
            </button>
          </form>
          {isOther && session.user_id !== null && (
            <p>
              <button type="button" className="button" onClick={() => show(undefined)}>
                Back to {session.user_id}
              </button>
            </p>
          )}
        </Dialog>
      )}
    </>
  );
}
