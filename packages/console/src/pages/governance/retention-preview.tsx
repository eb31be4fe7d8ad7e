import type { Operations } from '@memhall/client/operations';
import { type FormEvent, useId, useState } from 'react';
import { useActing, useAsk, useChange } from '../../api/api.js';
import { Answer } from '../../parts/answer.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { fromLocalInput } from '../../parts/local-time.js';
import { MomentInput } from '../../parts/moment-input.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useTell } from '../../parts/toasts.js';
import { useProfiles } from '../documents/use-profiles.js';
import { Counts } from './counts.js';

type Report = Operations['retention.preview']['answer'];

interface Wanted {
  user: string;
  profileId: string;
  asOf?: string;
}

/** Says what the rules of a profile and the ceilings would remove of a user, before it is removed. */
export function RetentionPreview() {
  const { userId } = useActing();
  const { profiles } = useProfiles();
  const [wanted, setWanted] = useState<Wanted>();
  const id = useId();
  const look = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = (name: string) => String(form.get(name) ?? '').trim();
    const asOf = fromLocalInput(given('as_of'));
    setWanted({ user: given('user'), profileId: given('profile'), ...(asOf !== '' && { asOf }) });
  };
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <header className="card-head">
        <h2 id={`${id}-title`}>What retention would remove</h2>
      </header>
      <div className="card-body stack">
        <form onSubmit={look} className="row end">
          <div className="field">
            <label htmlFor={`${id}-user`}>User</label>
            <input id={`${id}-user`} name="user" defaultValue={userId} required maxLength={128} autoComplete="off" />
          </div>
          <div className="field">
            <label htmlFor={`${id}-profile`}>Rules of the profile</label>
            <select id={`${id}-profile`} name="profile">
              {(profiles ?? []).map(({ profile_id: name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </div>
          <div className="field">
            <label htmlFor={`${id}-as-of`}>As of (empty: now)</label>
            <MomentInput id={`${id}-as-of`} name="as_of" />
          </div>
          <button type="submit" className="button">
            Preview
          </button>
        </form>
        {wanted !== undefined && <Preview key={JSON.stringify(wanted)} wanted={wanted} />}
      </div>
    </section>
  );
}

function Preview({ wanted: { user, profileId, asOf } }: { wanted: Wanted }) {
  const { tenantId } = useActing();
  const path = { tenant_id: tenantId, user_id: user };
  const body = { profile_id: profileId, ...(asOf !== undefined && { as_of: asOf }) };
  const found = useAsk('retention.preview', { path, body });
  const apply = useChange('retention.apply');
  const tell = useTell();
  const [isAsked, setAsked] = useState(false);
  return (
    <Answer of={found}>
      {(report) => (
        <div className="stack" role="status">
          <p>
            Would remove of <Text value={user} limit={128} />:
          </p>
          <Counts counts={countsOf(report)} empty="Nothing is old enough." />
          <Cutoffs report={report} />
          {report.held_users.length > 0 && (
            <p className="note warn">A legal hold on this user forbids it: nothing is removed.</p>
          )}
          <div>
            <button
              type="button"
              className="button danger"
              disabled={Object.values(countsOf(report)).every((count) => count === 0)}
              onClick={() => setAsked(true)}
            >
              Remove it now…
            </button>
          </div>
          {isAsked && (
            <ConfirmDialog
              title="Remove what is older?"
              action="Remove it"
              danger
              typed={user}
              onClose={() => setAsked(false)}
              run={async () => {
                const removed = countsOf(await apply.mutateAsync({ path, body }));
                const parts = Object.entries(removed).filter(([, count]) => count > 0);
                tell(`Removed: ${parts.map(([name, count]) => `${count} ${name}`).join(', ') || 'nothing'}.`);
              }}
            >
              <p>It does what the daily sweep does, now and for this user alone. It cannot be undone.</p>
            </ConfirmDialog>
          )}
        </div>
      )}
    </Answer>
  );
}

function countsOf(report: Report): Record<string, number> {
  return {
    events: report.events_deleted,
    'memories of events': report.search_documents_deleted,
    snapshots: report.snapshots_deleted,
    'audit records': report.audit_deleted,
    files: report.resources_deleted,
  };
}

function Cutoffs({ report: { cutoffs } }: { report: Report }) {
  const known = Object.entries(cutoffs).flatMap(([kind, at]) => (at === null ? [] : [{ kind, at }]));
  if (known.length === 0)
    return <p className="small muted">No rule and no ceiling limits how long anything is kept.</p>;
  return (
    <p className="small muted">
      Older than:{' '}
      {known.map(({ kind, at }, index) => (
        <span key={kind}>
          {index > 0 && ', '}
          {kind} <Time at={at} exact />
        </span>
      ))}
    </p>
  );
}
