import type { AnyMemory } from '@memhall/client/operations';
import { useState } from 'react';
import { useActing, useApi } from '../../api/api.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { fromLocalInput } from '../../parts/local-time.js';
import { Text } from '../../parts/text.js';
import { useTell } from '../../parts/toasts.js';

type Action = 'pin' | 'unpin' | 'expire' | 'forget';

const verbs: Record<Action, string> = { pin: 'Pin', unpin: 'Unpin', expire: 'Expire', forget: 'Forget' };

/** What can be done with the memories that were selected. Each is changed on its own; what is refused is named. */
export function BulkActions({ selected, onDone }: { selected: readonly AnyMemory[]; onDone(): void }) {
  const [action, setAction] = useState<Action>();
  return (
    <section className="card bulk" aria-label="Selected memories">
      <strong>{selected.length} selected</strong>
      {(['pin', 'unpin', 'expire', 'forget'] as const).map((one) => (
        <button
          key={one}
          type="button"
          className={one === 'forget' ? 'button small danger-quiet' : 'button small'}
          onClick={() => setAction(one)}
        >
          {verbs[one]}…
        </button>
      ))}
      <button type="button" className="button small quiet" onClick={onDone}>
        Clear selection
      </button>
      {action !== undefined && (
        <BulkDialog action={action} selected={selected} onClose={() => setAction(undefined)} onDone={onDone} />
      )}
    </section>
  );
}

interface BulkDialogProps {
  action: Action;
  selected: readonly AnyMemory[];
  onClose(): void;
  onDone(): void;
}

function BulkDialog({ action, selected, onClose, onDone }: BulkDialogProps) {
  const { memory: client } = useApi();
  const { isOther, userId } = useActing();
  const tell = useTell();
  const [expiry, setExpiry] = useState('');
  const options = isOther ? { userId } : {};
  const noun = selected.length === 1 ? '1 memory' : `${selected.length} memories`;
  const change = (memory: AnyMemory): Promise<unknown> => {
    if (action === 'forget') return client.forgetMemory(memory.id, options);
    const fields = action === 'expire' ? { expires_at: expiry } : { pin: action === 'pin' };
    return client.updateMemory(memory.id, fields, { ...options, ifMatch: '*' });
  };
  const run = async () => {
    if (action === 'expire' && expiry === '') throw new Error('Choose when they expire.');
    const outcomes = await Promise.allSettled(selected.map(change));
    const refused = outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [`${selected[index]?.content.slice(0, 60)}: ${outcome.reason.message}`] : [],
    );
    if (refused.length === selected.length) throw new Error(refused.slice(0, 5).join('\n'));
    tell(`${verbs[action]}: ${selected.length - refused.length} of ${noun}.`);
    for (const line of refused.slice(0, 3)) tell(line, { tone: 'danger' });
    onDone();
  };
  return (
    <ConfirmDialog
      title={`${verbs[action]} ${noun}?`}
      action={`${verbs[action]} ${noun}`}
      danger={action === 'forget'}
      run={run}
      onClose={onClose}
    >
      <ul className="bulk-texts">
        {selected.slice(0, 5).map(({ id, content }) => (
          <li key={id}>
            <Text value={content} limit={120} />
          </li>
        ))}
        {selected.length > 5 && <li className="muted">and {selected.length - 5} more</li>}
      </ul>
      {action === 'forget' && (
        <p>
          Their text, vectors and index rows go in one transaction, and with each what was derived from it alone. This
          cannot be undone. The audit log keeps that it happened, without the text.
        </p>
      )}
      {action === 'expire' && (
        <div className="field">
          <label htmlFor="bulk-expiry">Gone from</label>
          <input
            id="bulk-expiry"
            type="datetime-local"
            onChange={(event) => setExpiry(fromLocalInput(event.target.value))}
          />
        </div>
      )}
      {(action === 'pin' || action === 'unpin') && (
        <p>Pinned memories rank higher in every recall. You can change it back at any time.</p>
      )}
    </ConfirmDialog>
  );
}
