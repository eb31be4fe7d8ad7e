import type { Fact, OperationId } from '@memhall/client/operations';
import { useId, useState } from 'react';
import { useActing, useAsk, useChange } from '../../api/api.js';
import { Answer } from '../../parts/answer.js';
import { Badge } from '../../parts/badge.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useTell } from '../../parts/toasts.js';
import { CorrectFactDialog } from './correct-fact-dialog.js';

type Verb = 'confirm' | 'reject' | 'retract' | 'undo';

const says: Record<Verb, { label: string; done: string; what: string }> = {
  confirm: {
    label: 'Confirm',
    done: 'Confirmed.',
    what: 'It counts as your own statement from now on. A value of the same attribute that holds only one ends where this one begins.',
  },
  reject: {
    label: 'Reject',
    done: 'Rejected.',
    what: 'It will never be believed. What it contradicts stays as it is.',
  },
  retract: {
    label: 'Retract',
    done: 'Retracted.',
    what: 'It was never true. What it had superseded is current again. An earlier “as known at” still shows it.',
  },
  undo: {
    label: 'Undo the last change',
    done: 'Undone.',
    what: 'Takes back the last change of this fact, and what followed from it for other facts.',
  },
};

/** What can be done with a fact in its state. Each change can be undone. */
export function FactActions({ fact }: { fact: Fact }) {
  const [verb, setVerb] = useState<Verb>();
  const [isCorrecting, setCorrecting] = useState(false);
  const verbs: Verb[] = fact.status === 'unconfirmed' ? ['confirm', 'reject', 'undo'] : ['retract', 'undo'];
  return (
    <div className="fact-actions">
      {fact.status === 'current' && (
        <button type="button" className="button small" onClick={() => setCorrecting(true)}>
          Correct…
        </button>
      )}
      {verbs.map((one) => (
        <button
          key={one}
          type="button"
          className={one === 'undo' ? 'button small quiet' : 'button small'}
          onClick={() => setVerb(one)}
        >
          {one === 'undo' ? 'Undo…' : `${says[one].label}…`}
        </button>
      ))}
      {verb !== undefined && <ChangeDialog fact={fact} verb={verb} onClose={() => setVerb(undefined)} />}
      {isCorrecting && <CorrectFactDialog fact={fact} onClose={() => setCorrecting(false)} />}
    </div>
  );
}

function ChangeDialog({ fact, verb, onClose }: { fact: Fact; verb: Verb; onClose(): void }) {
  const { onBehalf } = useActing();
  const operation: Extract<OperationId, `facts.${Verb}`> = `facts.${verb}`;
  const change = useChange(operation);
  const undo = useChange('facts.undo');
  const tell = useTell();
  const [reason, setReason] = useState('');
  const id = useId();
  const run = async () => {
    const body = { ...(reason.trim() !== '' && { reason: reason.trim() }), ...onBehalf };
    await change.mutateAsync({ path: { fact_id: fact.id }, body });
    const takeBack = () => undo.mutateAsync({ path: { fact_id: fact.id }, body: onBehalf });
    tell(says[verb].done, verb === 'undo' ? {} : { undo: takeBack });
  };
  return (
    <ConfirmDialog title={`${says[verb].label}?`} action={says[verb].label} run={run} onClose={onClose}>
      <p>
        <strong>
          <Text value={`${fact.subject} ${fact.attribute} ${fact.value}`} limit={400} />
        </strong>
      </p>
      <p>{says[verb].what}</p>
      {verb === 'undo' && <LastChange factId={fact.id} />}
      <div className="field">
        <label htmlFor={id}>Why (kept with the change)</label>
        <input id={id} value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
      </div>
    </ConfirmDialog>
  );
}

/** What undoing takes back. */
function LastChange({ factId }: { factId: string }) {
  const { onBehalf } = useActing();
  const found = useAsk('facts.get', { path: { fact_id: factId }, query: onBehalf });
  return (
    <Answer of={found}>
      {({ history }) => {
        const standing: typeof history = [];
        for (const step of history) {
          if (step.change === 'undone') standing.pop();
          else standing.push(step);
        }
        const last = standing.at(-1);
        if (last === undefined) return <p className="note">No change is left that could be undone.</p>;
        return (
          <p className="note">
            <Badge>{last.change}</Badge> <Time at={last.at} exact />, {last.reason.replaceAll('_', ' ')}
            {last.note !== null && (
              <>
                : “<Text value={last.note} limit={500} />”
              </>
            )}
            {standing.length === 1 && '. Nothing was believed before it, so the fact is retracted.'}
          </p>
        );
      }}
    </Answer>
  );
}
