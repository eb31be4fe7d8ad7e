import { type FormEvent, useId, useRef, useState } from 'react';
import { useActing, useAsk, useChange } from '../../api/api.js';
import { Answer, Empty } from '../../parts/answer.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useTell } from '../../parts/toasts.js';

interface NewHold {
  name: string;
  users: string[];
  reason: string;
}

/** Legal holds: what they name cannot be erased and does not expire. */
export function HoldsTab() {
  const { tenantId } = useActing();
  const found = useAsk('legalHolds.list', { path: { tenant_id: tenantId }, query: { limit: 100 } });
  const put = useChange('legalHolds.put');
  const lift = useChange('legalHolds.delete');
  const tell = useTell();
  const [planned, setPlanned] = useState<NewHold>();
  const [lifted, setLifted] = useState<NewHold>();
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const set = ({ name, users, reason }: NewHold) =>
    put.mutateAsync({
      path: { tenant_id: tenantId, name },
      body: { reason, ...(users.length > 0 && { user_ids: users }) },
    });
  const setAgain = (hold: NewHold) => set(hold).catch((error: Error) => tell(error.message, { tone: 'danger' }));
  const plan = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const users = String(given.get('users'))
      .split(/[\s,]+/)
      .filter(Boolean);
    setPlanned({ name: String(given.get('name')).trim(), users, reason: String(given.get('reason')).trim() });
  };
  return (
    <>
      <form onSubmit={plan} className="card card-body row end" aria-label="New hold" ref={form}>
        <div className="field grow">
          <label htmlFor={`${id}-name`}>Name</label>
          <input id={`${id}-name`} name="name" required maxLength={128} autoComplete="off" />
        </div>
        <div className="field grow">
          <label htmlFor={`${id}-users`}>User ids (empty: everybody)</label>
          <input id={`${id}-users`} name="users" autoComplete="off" />
        </div>
        <div className="field grow">
          <label htmlFor={`${id}-reason`}>Reason</label>
          <input id={`${id}-reason`} name="reason" required maxLength={500} autoComplete="off" />
        </div>
        <button type="submit" className="button primary">
          Set a hold…
        </button>
      </form>
      <section className="card" aria-label="Legal holds">
        <Answer of={found}>
          {({ legal_holds: holds }) =>
            holds.length === 0 ? (
              <Empty title="No legal hold is set." />
            ) : (
              <ul>
                {holds.map(({ name, user_ids: users, reason, created_at: at }) => (
                  <li key={name} className="hold" data-row>
                    <div>
                      <strong>
                        <Text value={name} />
                      </strong>{' '}
                      on {users == null ? 'everybody' : <Text value={users.join(', ')} limit={300} />}
                      <p className="small muted">
                        <Text value={reason} limit={500} />, since <Time at={at} exact />
                      </p>
                    </div>
                    <button
                      type="button"
                      className="button small"
                      onClick={() => setLifted({ name, users: users ?? [], reason })}
                    >
                      Lift…
                    </button>
                  </li>
                ))}
              </ul>
            )
          }
        </Answer>
      </section>
      {planned !== undefined && (
        <ConfirmDialog
          title="Set this hold?"
          action="Set the hold"
          onClose={() => setPlanned(undefined)}
          run={async () => {
            await set(planned);
            form.current?.reset();
            tell('The hold is set.', {
              action: { label: 'Undo', run: () => lift.mutate({ path: { tenant_id: tenantId, name: planned.name } }) },
            });
          }}
        >
          <p>
            The data of {planned.users.length === 0 ? 'every user of the tenant' : planned.users.join(', ')} cannot be
            erased and does not expire until the hold <strong>{planned.name}</strong> is lifted.
          </p>
        </ConfirmDialog>
      )}
      {lifted !== undefined && (
        <ConfirmDialog
          title="Lift this hold?"
          action="Lift the hold"
          danger
          onClose={() => setLifted(undefined)}
          run={async () => {
            await lift.mutateAsync({ path: { tenant_id: tenantId, name: lifted.name } });
            tell('The hold is lifted.', { action: { label: 'Undo', run: () => void setAgain(lifted) } });
          }}
        >
          <p>
            What <strong>{lifted.name}</strong> kept can be erased again, and what is due expires with the next sweep.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
