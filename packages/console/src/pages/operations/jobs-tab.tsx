import type { BackgroundJob, CallInput } from '@memhall/client/operations';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useAsk, useChange, usePages } from '../../api/api.js';
import { Answer, Empty, Waiting } from '../../parts/answer.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { ErrorNote } from '../../parts/error-note.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useTell } from '../../parts/toasts.js';

type State = BackgroundJob['state'];

const states: readonly State[] = ['failed', 'retrying', 'waiting', 'running', 'done'];
const labels: Record<State, string> = {
  failed: 'dead letters',
  retrying: 'retrying',
  waiting: 'waiting',
  running: 'running',
  done: 'done',
};
const tones: Record<State, Tone> = {
  failed: 'danger',
  retrying: 'warn',
  waiting: 'plain',
  running: 'accent',
  done: 'ok',
};
const refetchMs = 10_000;

/** What works in the background, what failed for good, and another try for it. */
export function JobsTab() {
  const { show, name } = useSearch({ from: '/operations' });
  const navigate = useNavigate({ from: '/operations' });
  const state = states.find((one) => one === show) ?? 'failed';
  const query: CallInput<'jobs.list'>['query'] = { state, ...(name && { name }) };
  const pages = usePages('jobs.list', { path: {}, query });
  const jobs = pages.data?.pages.flatMap((page) => page.jobs) ?? [];
  const [retried, setRetried] = useState<readonly BackgroundJob[] | 'all'>();
  const id = useId();
  return (
    <>
      <Backlog onChoose={(next) => navigate({ search: (all) => ({ ...all, ...next }) })} />
      <section className="card" aria-labelledby={`${id}-title`}>
        <header className="card-head">
          <h2 id={`${id}-title`}>
            Jobs{name !== undefined && <> called {name}</>}: {labels[state]}
          </h2>
          <div className="row">
            <label htmlFor={`${id}-state`} className="visually-hidden">
              State
            </label>
            <select
              id={`${id}-state`}
              value={state}
              onChange={(event) => navigate({ search: (all) => ({ ...all, show: event.target.value }), replace: true })}
            >
              {states.map((one) => (
                <option key={one} value={one}>
                  {labels[one]}
                </option>
              ))}
            </select>
            {name !== undefined && (
              <button
                type="button"
                className="button small"
                onClick={() => navigate({ search: (all) => ({ ...all, name: undefined }) })}
              >
                All names
              </button>
            )}
            <button type="button" className="button small" onClick={() => void pages.refetch()} data-shortcut="r">
              Refresh
            </button>
            {state === 'failed' && jobs.length > 0 && name === undefined && (
              <button type="button" className="button small primary" onClick={() => setRetried('all')}>
                Retry all…
              </button>
            )}
          </div>
        </header>
        {pages.isError && <ErrorNote error={pages.error} />}
        {pages.isPending && <Waiting />}
        {pages.data !== undefined && jobs.length === 0 && (
          <Empty title={state === 'failed' ? 'No job has failed for good.' : `No job is ${labels[state]}.`} />
        )}
        {jobs.length > 0 && (
          <div className="table-scroll">
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">Job</th>
                  <th scope="col">Tenant</th>
                  <th scope="col">User</th>
                  <th scope="col">Attempts</th>
                  <th scope="col">Created</th>
                  <th scope="col">Ended</th>
                  <th scope="col">Problem</th>
                  <th scope="col">
                    <span className="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {jobs.map((job) => (
                  <JobRow key={job.id} job={job} onRetry={() => setRetried([job])} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        {pages.hasNextPage && (
          <p className="card-body">
            <button type="button" className="button small" onClick={() => void pages.fetchNextPage()}>
              Show more
            </button>
          </p>
        )}
      </section>
      {retried !== undefined && (
        <RetryDialog jobs={retried} onClose={() => setRetried(undefined)} onDone={() => void pages.refetch()} />
      )}
    </>
  );
}

function JobRow({ job, onRetry }: { job: BackgroundJob; onRetry(): void }) {
  return (
    <tr data-row title={job.id}>
      <td>
        <code>{job.name}</code> <Badge tone={tones[job.state]}>{job.state}</Badge>
      </td>
      <td data-label="Tenant">
        {job.tenant_id === null ? <span className="muted">all</span> : <Text value={job.tenant_id} limit={60} />}
      </td>
      <td data-label="User">{job.user_id !== null && <Text value={job.user_id} limit={60} />}</td>
      <td data-label="Attempts">
        {job.attempts} of {job.max_attempts}
      </td>
      <td data-label="Created">
        <Time at={job.created_at} exact />
      </td>
      <td data-label="Ended">{job.finished_at !== null && <Time at={job.finished_at} exact />}</td>
      <td data-label="Problem">{job.problem !== null && <code>{job.problem}</code>}</td>
      <td>
        {job.state === 'failed' && (
          <button type="button" className="button small" onClick={onRetry}>
            Retry…
          </button>
        )}
      </td>
    </tr>
  );
}

function RetryDialog({
  jobs,
  onClose,
  onDone,
}: {
  jobs: readonly BackgroundJob[] | 'all';
  onClose(): void;
  onDone(): void;
}) {
  const retry = useChange('jobs.retry');
  const tell = useTell();
  const run = async () => {
    const body = jobs === 'all' ? { all_failed: true as const } : { ids: jobs.map(({ id }) => id) };
    const { retried } = await retry.mutateAsync({ path: {}, body });
    tell(retried === 1 ? 'The job runs again.' : `${retried} jobs run again.`);
    onDone();
  };
  return (
    <ConfirmDialog
      title={jobs === 'all' ? 'Retry all dead letters?' : 'Retry this job?'}
      action="Retry"
      run={run}
      onClose={onClose}
    >
      <p>
        {jobs === 'all' ? 'They get' : 'It gets'} all attempts again, starting now. What was done already is not done
        twice. The audit log of each tenant records who asked for it. A job that fails again comes back here.
      </p>
    </ConfirmDialog>
  );
}

function Backlog({ onChoose }: { onChoose(search: { show: State; name: string }): void }) {
  const health = useAsk('health.get', { path: {} }, { refetchMs });
  return (
    <Answer of={health}>
      {({ jobs = [] }) => {
        const busy = jobs.filter(({ waiting, dead_letters: dead }) => waiting > 0 || dead > 0);
        if (busy.length === 0) return <p className="note ok">Nothing waits, and nothing failed for good.</p>;
        return (
          <ul className="tiles" aria-label="Jobs that wait or failed">
            {busy.map(({ name, waiting, backlog_seconds: late, dead_letters: dead }) => (
              <li key={name} className="card tile">
                <code>{name}</code>
                <span className="row">
                  <button
                    type="button"
                    className="button small quiet"
                    onClick={() => onChoose({ show: 'waiting', name })}
                  >
                    {waiting} waiting
                  </button>
                  {dead > 0 && (
                    <button
                      type="button"
                      className="button small danger-quiet"
                      onClick={() => onChoose({ show: 'failed', name })}
                    >
                      {dead} dead
                    </button>
                  )}
                </span>
                <span className="small muted">
                  {late > 0 ? `the oldest is due for ${Math.round(late)} s` : 'none is due'}
                </span>
              </li>
            ))}
          </ul>
        );
      }}
    </Answer>
  );
}
