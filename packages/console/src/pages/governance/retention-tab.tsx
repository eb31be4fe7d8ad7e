import { useState } from 'react';
import { useActing, useAsk, useChange } from '../../api/api.js';
import { Answer } from '../../parts/answer.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { useTell } from '../../parts/toasts.js';
import { RetentionPreview } from './retention-preview.js';

const kinds = ['snapshots_days', 'events_days', 'audit_days', 'resources_days'] as const;
const labels: Readonly<Record<(typeof kinds)[number], string>> = {
  snapshots_days: 'Snapshots',
  events_days: 'Events',
  audit_days: 'Audit records',
  resources_days: 'Files',
};
type Ceilings = Record<(typeof kinds)[number], number | null>;

/** How long anything may be kept, and what that removes. */
export function RetentionTab() {
  return (
    <>
      <CeilingsCard />
      <RetentionPreview />
    </>
  );
}

/** How long anything may be kept in the tenant, whatever its profiles say. */
function CeilingsCard() {
  const { tenantId } = useActing();
  const found = useAsk('retentionCeilings.get', { path: { tenant_id: tenantId } });
  return <Answer of={found}>{(ceilings) => <Form ceilings={ceilings} key={JSON.stringify(ceilings)} />}</Answer>;
}

function Form({ ceilings }: { ceilings: Ceilings }) {
  const { tenantId } = useActing();
  const put = useChange('retentionCeilings.put');
  const tell = useTell();
  const [days, setDays] = useState<Ceilings>(ceilings);
  const [isAsked, setAsked] = useState(false);
  const path = { tenant_id: tenantId };
  const before = Object.fromEntries(kinds.map((kind) => [kind, ceilings[kind]]));
  return (
    <section className="card" aria-labelledby="ceilings-title">
      <header className="card-head">
        <h2 id="ceilings-title">How many days anything is kept at most</h2>
      </header>
      <div className="row end card-body">
        {kinds.map((kind) => (
          <div className="field" key={kind}>
            <label htmlFor={kind}>{labels[kind]}</label>
            <input
              id={kind}
              type="number"
              min={1}
              max={36_500}
              placeholder="no limit"
              value={days[kind] ?? ''}
              onChange={(event) =>
                setDays({ ...days, [kind]: event.target.value === '' ? null : Number(event.target.value) })
              }
            />
          </div>
        ))}
        <button type="button" className="button primary" onClick={() => setAsked(true)}>
          Save…
        </button>
      </div>
      {isAsked && (
        <ConfirmDialog
          title="Change the ceilings?"
          action="Save"
          danger
          onClose={() => setAsked(false)}
          run={async () => {
            await put.mutateAsync({ path, body: Object.fromEntries(kinds.map((kind) => [kind, days[kind]])) });
            tell('Saved.', { undo: () => put.mutateAsync({ path, body: before }) });
          }}
        >
          <p>
            The next sweep removes what is older, for every user without a legal hold. What it removed does not come
            back if you change the ceilings again.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
