import type { AnyMemory } from '@memhall/client/operations';
import { useState } from 'react';
import { useActing, useApi } from '../../api/api.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { MomentInput } from '../../parts/moment-input.js';
import { Progress } from '../../parts/progress.js';
import { settleAll } from '../../parts/settle-all.js';
import { Text } from '../../parts/text.js';
import { useTell } from '../../parts/toasts.js';

type Action = 'pin' | 'unpin' | 'expire' | 'forget';

const verbs: Record<Action, string> = { pin: 'Pin', unpin: 'Unpin', expire: 'Expire', forget: 'Forget' };
const done: Record<Action, string> = {
  pin: 'Pinned',
  unpin: 'No longer pinned',
  expire: 'Expires then',
  forget: 'Forgotten',
};

/** What can be done with the memories that were selected. Each is changed on its own; what is refused is named. */
export function BulkActions({ selected, onDone }: { selected: readonly AnyMemory[]; onDone(): void }) {
  const [action, setAction] = useState<Action>();
  return (
    <section className="card bulk" aria-label="Selected memories">
      <strong>{selected.length.toLocaleString('en')} selected</strong>
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
  const [count, setCount] = useState<number>();
  const noun = selected.length === 1 ? '1 memory' : `${selected.length.toLocaleString('en')} memories`;
  const update = (id: string, fields: Parameters<typeof client.updateMemory>[1]) =>
    client.updateMemory(id, fields, { ...options, ifMatch: '*' });
  const change = ({ id }: AnyMemory): Promise<unknown> => {
    if (action === 'forget') return client.forgetMemory(id, options);
    return update(id, action === 'expire' ? { expires_at: expiry } : { pin: action === 'pin' });
  };
  const takeBack = async (changed: readonly AnyMemory[]) => {
    const refused = await settleAll(changed, ({ id, pin, expires_at: before }) =>
      update(id, action === 'expire' ? { expires_at: before } : { pin }),
    );
    onDone();
    const reasons = sumUp(refused.map(({ error }) => error.message));
    if (reasons.length > 0) throw new Error(reasons.join('\n'));
  };
  const run = async () => {
    if (action === 'expire' && expiry === '') throw new Error('Choose when they expire.');
    const refused = await settleAll(selected, change, setCount);
    const reasons = sumUp(refused.map(({ error }) => error.message));
    setCount(undefined);
    if (refused.length === selected.length) throw new Error(reasons.join('\n'));
    const left = new Set(refused.map(({ item }) => item));
    const changed = selected.filter((memory) => !left.has(memory));
    const undo = action === 'forget' ? {} : { undo: () => takeBack(changed) };
    tell(`${done[action]}: ${changed.length.toLocaleString('en')} of ${noun}.`, undo);
    for (const reason of reasons) tell(reason, { tone: 'danger' });
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
        {selected.length > 5 && <li className="muted">and {(selected.length - 5).toLocaleString('en')} more</li>}
      </ul>
      {action === 'forget' && (
        <p>
          Their text, vectors and index rows go in one transaction, and with each what was derived from it alone. This
          cannot be undone. The audit log keeps that it happened, without the text.
        </p>
      )}
      {action === 'expire' && (
        <div className="field">
          <p>
            From then on no recall and no list has them, and the next sweep removes them. Until then it can be undone.
          </p>
          <label htmlFor="bulk-expiry">Gone from</label>
          <MomentInput id="bulk-expiry" onChange={setExpiry} />
        </div>
      )}
      {(action === 'pin' || action === 'unpin') && (
        <p>Pinned memories rank higher in every recall. You can change it back at any time.</p>
      )}
      {count !== undefined && <Progress label={verbs[action]} done={count} total={selected.length} />}
    </ConfirmDialog>
  );
}

/** The most reasons that are shown. */
const mostReasons = 3;

/** Says why the server refused, each reason once, the most frequent first. */
function sumUp(messages: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const message of messages) counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts.entries()]
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostReasons)
    .map(([message, count]) => (count === 1 ? `Refused: ${message}` : `${count} refused: ${message}`));
}
