import type { Fact } from '@memhall/client/operations';
import { useId, useState } from 'react';
import { useActing, useChange } from '../../api/api.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { Text } from '../../parts/text.js';
import { useTell } from '../../parts/toasts.js';

/** States another value: it was never the old one, or it is another one from now on. */
export function CorrectFactDialog({ fact, onClose }: { fact: Fact; onClose(): void }) {
  const { onBehalf } = useActing();
  const put = useChange('facts.put');
  const correct = useChange('facts.correct');
  const undo = useChange('facts.undo');
  const tell = useTell();
  const id = useId();
  const [value, setValue] = useState(fact.value);
  const [wasTrue, setWasTrue] = useState(false);
  const run = async () => {
    const stated = { value: value.trim(), ...onBehalf };
    const { subject, attribute } = fact;
    const changed = wasTrue
      ? await put.mutateAsync({ path: {}, body: { subject, attribute, ...stated } })
      : await correct.mutateAsync({ path: { fact_id: fact.id }, body: stated });
    // The new fact first: the old one is as it was when nothing contradicts it.
    const ids = wasTrue ? [changed.fact.id] : [changed.fact.id, fact.id];
    const takeBack = async () => {
      for (const id of ids) await undo.mutateAsync({ path: { fact_id: id }, body: onBehalf });
    };
    tell('Corrected.', { undo: takeBack });
  };
  return (
    <ConfirmDialog title="Correct this fact" action="Save" run={run} onClose={onClose}>
      <div className="field">
        <label htmlFor={id}>
          <Text value={`${fact.subject} ${fact.attribute}`} limit={200} />
        </label>
        <input id={id} value={value} maxLength={2000} required onChange={(event) => setValue(event.target.value)} />
      </div>
      <fieldset className="stack tight">
        <legend className="label">The old value</legend>
        <label className="check">
          <input type="radio" name="was" checked={!wasTrue} onChange={() => setWasTrue(false)} />
          was never true: it is retracted
        </label>
        <label className="check">
          <input type="radio" name="was" checked={wasTrue} onChange={() => setWasTrue(true)} />
          was true until now: it becomes history, if the attribute holds one value
        </label>
      </fieldset>
      <p className="small muted">It can be undone.</p>
    </ConfirmDialog>
  );
}
