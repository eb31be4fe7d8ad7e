import type { Operations, RevertCounts, SourceRevert } from '@memhall/client/operations';
import { type FormEvent, useId, useState } from 'react';
import { useActing, useAsk, useChange } from '../../api/api.js';
import { Answer, Empty } from '../../parts/answer.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { ErrorNote } from '../../parts/error-note.js';
import { fromLocalInput } from '../../parts/local-time.js';
import { MomentInput } from '../../parts/moment-input.js';
import { Time } from '../../parts/time.js';
import { useTell } from '../../parts/toasts.js';
import { Counts } from './counts.js';

type Filter = Operations['sources.revert']['body']['filter'];

const names = [
  ['author', 'Author'],
  ['namespace', 'Namespace'],
  ['resource_id', 'Id of a file'],
] as const;
const times = [
  ['from', 'Written from'],
  ['to', 'Written until'],
] as const;
const surfaces: readonly NonNullable<Filter['surface']>[] = [
  ...(['api', 'library', 'cli', 'memory_service', 'gateway', 'documents'] as const),
  ...(['plugin', 'mcp', 'provider', 'files', 'import'] as const),
];

function sayWhat({ memories, facts, users }: SourceRevert): string {
  const many = (count: number, one: string, more: string) =>
    `${count.toLocaleString('en')} ${count === 1 ? one : more}`;
  return `${many(memories, 'memory', 'memories')} and ${many(facts, 'fact', 'facts')} of ${many(users, 'user', 'users')}`;
}

function sayCounts({ restored, patches, unresolved, ...counts }: RevertCounts) {
  return {
    ...counts,
    'facts restored': restored,
    'versions of documents': patches,
    'patches to decide about': unresolved,
  };
}

/** Takes back everything that a source wrote or caused. */
export function SourcesTab() {
  const { tenantId } = useActing();
  const path = { tenant_id: tenantId };
  const revert = useChange('sources.revert');
  const undo = useChange('sources.undo');
  const reverts = useAsk('sources.list', { path, query: { limit: 50 } });
  const tell = useTell();
  const id = useId();
  const [filter, setFilter] = useState<Filter>();
  const [isAsked, setAsked] = useState(false);
  const [restored, setRestored] = useState<SourceRevert>();
  const look = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = [...form.entries()].flatMap(([name, value]) => {
      const text = String(value).trim();
      if (text === '') return [];
      return [[name, times.some(([time]) => time === name) ? fromLocalInput(text) : text]];
    });
    const wanted = Object.fromEntries(given) as Filter;
    setFilter(wanted);
    revert.mutate({ path, body: { filter: wanted, dry_run: true } });
  };
  return (
    <>
      <p className="muted">
        Takes back what somebody, a service, a namespace or a file brought in, such as an agent that was tricked: its
        memories, facts and patches. What they had replaced is current again.
      </p>
      <form onSubmit={look} className="card card-body row end" aria-label="Source">
        {names.map(([name, label]) => (
          <div className="field grow" key={name}>
            <label htmlFor={`${id}-${name}`}>{label}</label>
            <input id={`${id}-${name}`} name={name} autoComplete="off" />
          </div>
        ))}
        <div className="field">
          <label htmlFor={`${id}-surface`}>Through</label>
          <select id={`${id}-surface`} name="surface">
            <option value="">anything</option>
            {surfaces.map((surface) => (
              <option key={surface}>{surface}</option>
            ))}
          </select>
        </div>
        {times.map(([name, label]) => (
          <div className="field" key={name}>
            <label htmlFor={`${id}-${name}`}>{label}</label>
            <MomentInput id={`${id}-${name}`} name={name} />
          </div>
        ))}
        <button type="submit" className="button">
          Dry run
        </button>
      </form>
      {revert.isError && <ErrorNote error={revert.error} />}
      {filter !== undefined && revert.data !== undefined && (
        <section className="card card-body stack" role="status">
          <p>Would take back:</p>
          <Counts counts={sayCounts(revert.data.counts)} empty="Nothing." />
          <div>
            <button
              type="button"
              className="button danger"
              disabled={Object.values(revert.data.counts).every((count) => count === 0)}
              onClick={() => setAsked(true)}
            >
              Take it back…
            </button>
          </div>
        </section>
      )}
      {isAsked && filter !== undefined && (
        <ConfirmDialog
          title="Take back this source?"
          action="Take it back"
          danger
          onClose={() => setAsked(false)}
          run={async () => {
            await revert.mutateAsync({ path, body: { filter, dry_run: false } });
            setFilter(undefined);
            tell('Taken back. It can be restored below.');
          }}
        >
          <p>
            Its memories, facts and patches go, and what they had superseded is restored. Facts with other evidence
            stay. It can be undone for 30 days.
          </p>
        </ConfirmDialog>
      )}
      {restored !== undefined && (
        <ConfirmDialog
          title="Restore what was taken back?"
          action="Restore"
          onClose={() => setRestored(undefined)}
          run={async () => {
            await undo.mutateAsync({ path: { ...path, revert_id: restored.revert_id } });
            tell('Restored.');
          }}
        >
          <p>
            {sayWhat(restored)}, taken back on <Time at={restored.at} exact />, are there again, with what followed from
            them. The source can be taken back once more.
          </p>
        </ConfirmDialog>
      )}
      <section className="card" aria-labelledby="reverts-title">
        <header className="card-head">
          <h2 id="reverts-title">Taken back</h2>
        </header>
        <Answer of={reverts}>
          {(answer) =>
            answer.reverts.length === 0 ? (
              <Empty title="Nothing was taken back." />
            ) : (
              <ul>
                {answer.reverts.map((one) => (
                  <li key={one.revert_id} className="hold" data-row>
                    <div>
                      {sayWhat(one)}
                      <p className="small muted">
                        <Time at={one.at} exact />, can be restored until <Time at={one.purge_at} exact />
                      </p>
                    </div>
                    <button type="button" className="button small" onClick={() => setRestored(one)}>
                      Restore…
                    </button>
                  </li>
                ))}
              </ul>
            )
          }
        </Answer>
      </section>
    </>
  );
}
