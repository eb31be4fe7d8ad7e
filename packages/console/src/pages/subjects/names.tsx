import type { SubjectPage } from '@memhall/client/operations';
import { type FormEvent, useState } from 'react';
import { useActing, useChange } from '../../api/api.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { Text } from '../../parts/text.js';
import { useTell } from '../../parts/toasts.js';

type Change = { verb: 'merge' | 'split'; name: string };

/** The names of a subject: two subjects can be merged, and a name can be split off again. */
export function Names({ page }: { page: SubjectPage }) {
  const { onBehalf } = useActing();
  const merge = useChange('subjects.merge');
  const split = useChange('subjects.split');
  const tell = useTell();
  const [change, setChange] = useState<Change>();
  const { subject, aliases } = page;
  const apply = async ({ verb, name }: Change) => {
    const path = { subject };
    if (verb === 'merge') await merge.mutateAsync({ path, body: { with: name, ...onBehalf } });
    else await split.mutateAsync({ path, body: { alias: name, ...onBehalf } });
  };
  const run = async ({ verb, name }: Change) => {
    await apply({ verb, name });
    const undo = () => apply({ verb: verb === 'merge' ? 'split' : 'merge', name });
    tell(verb === 'merge' ? 'Merged.' : 'Split.', { undo });
  };
  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    if (name !== '') setChange({ verb: 'merge', name });
  };
  return (
    <section className="card" aria-labelledby="names-title">
      <header className="card-head">
        <h2 id="names-title">Names</h2>
      </header>
      <div className="card-body stack">
        <ul className="stack tight">
          <li>
            <Text value={subject} limit={200} />
          </li>
          {aliases.map((name) => (
            <li key={name} className="row">
              <Text value={name} limit={200} />
              <button type="button" className="button small" onClick={() => setChange({ verb: 'split', name })}>
                Split…
              </button>
            </li>
          ))}
        </ul>
        <form onSubmit={ask} className="row">
          <input name="name" aria-label="Another name of it" placeholder="Another name" maxLength={200} required />
          <button type="submit" className="button">
            Merge…
          </button>
        </form>
      </div>
      {change !== undefined && (
        <ConfirmDialog
          title={change.verb === 'merge' ? 'Merge the two?' : 'Split this name off?'}
          action={change.verb === 'merge' ? 'Merge' : 'Split'}
          run={() => run(change)}
          onClose={() => setChange(undefined)}
        >
          <p>
            <strong>
              <Text value={subject} limit={200} />
            </strong>{' '}
            and{' '}
            <strong>
              <Text value={change.name} limit={200} />
            </strong>
          </p>
          <p>
            {change.verb === 'merge'
              ? 'Both names mean the same from now on: facts of one can end facts of the other. Splitting them restores what this changes.'
              : 'The name is a subject of its own again, and what the merge changed is restored.'}
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
