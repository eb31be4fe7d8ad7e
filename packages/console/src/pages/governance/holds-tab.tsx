import { type FormEvent, useId, useRef, useState } from 'react';
import { useActing, useAsk, useChange } from '../../api/api.js';
import { Answer, Empty } from '../../parts/answer.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useTell } from '../../parts/toasts.js';

interface Hold {
  name: string;
  users: string[];
  reason: string;
}

function sayWho({ users }: Hold): string {
  return users.length === 0 ? 'everybody' : users.join(', ');
}

/** Legal holds: what they name cannot be erased and does not expire. */
export function HoldsTab() {
  const { tenantId } = useActing();
  const found = useAsk('legalHolds.list', { path: { tenant_id: tenantId }, query: { limit: 100 } });
  const put = useChange('legalHolds.put');
  const lift = useChange('legalHolds.delete');
  const tell = useTell();
  const [planned, setPlanned] = useState<Hold>();
  const [lifted, setLifted] = useState<Hold>();
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const holds = (found.data?.legal_holds ?? []).map(
    ({ name, user_ids: users, reason }): Hold => ({ name, users: users ?? [], reason }),
  );
  const replaced = holds.find(({ name }) => name === planned?.name);
  const set = ({ name, users, reason }: Hold) =>
    put.mutateAsync({
      path: { tenant_id: tenantId, name },
      body: { reason, ...(users.length > 0 && { user_ids: users }) },
    });
  const liftIt = ({ name }: Hold) => lift.mutateAsync({ path: { tenant_id: tenantId, name } });
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
          {({ legal_holds: shown }) =>
            shown.length === 0 ? (
              <Empty title="No legal hold is set." />
            ) : (
              <ul>
                {shown.map(({ name, reason, created_at: at }, index) => (
                  <li key={name} className="hold" data-row>
                    <div>
                      <strong>
                        <Text value={name} />
                      </strong>{' '}
                      on <Text value={sayWho(holds[index] as Hold)} limit={300} />
                      <p className="small muted">
                        <Text value={reason} limit={500} />, since <Time at={at} exact />
                      </p>
                    </div>
                    <button type="button" className="button small" onClick={() => setLifted(holds[index])}>
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
          title={replaced === undefined ? 'Set this hold?' : 'Replace this hold?'}
          action={replaced === undefined ? 'Set the hold' : 'Replace the hold'}
          danger={replaced !== undefined}
          onClose={() => setPlanned(undefined)}
          run={async () => {
            await set(planned);
            form.current?.reset();
            tell(replaced === undefined ? 'The hold is set.' : 'The hold is replaced.', {
              undo: () => (replaced === undefined ? liftIt(planned) : set(replaced)),
            });
          }}
        >
          <p>
            The data of {planned.users.length === 0 ? 'every user of the tenant' : planned.users.join(', ')} cannot be
            erased and does not expire until the hold <strong>{planned.name}</strong> is lifted.
          </p>
          {replaced !== undefined && (
            <p className="note warn">
              There is a hold of this name on {sayWho(replaced)}: “
              <Text value={replaced.reason} limit={200} />
              ”. It is replaced, and those whom only it protected can be erased again.
            </p>
          )}
        </ConfirmDialog>
      )}
      {lifted !== undefined && (
        <ConfirmDialog
          title="Lift this hold?"
          action="Lift the hold"
          danger
          onClose={() => setLifted(undefined)}
          run={async () => {
            await liftIt(lifted);
            tell('The hold is lifted.', { undo: () => set(lifted) });
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
