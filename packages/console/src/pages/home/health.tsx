import { Link } from '@tanstack/react-router';
import { useAsk, useRights } from '../../api/api.js';
import { Answer } from '../../parts/answer.js';
import { Badge } from '../../parts/badge.js';
import { sayMs } from '../operations/say-ms.js';

const refetchMs = 15_000;

/** How the server does. Tokens with the role operator see why. */
export function Health() {
  const { operator } = useRights();
  const health = useAsk('health.get', { path: {} }, { refetchMs });
  return (
    <section className="card" aria-labelledby="health-title">
      <header className="card-head">
        <h2 id="health-title">Health</h2>
        {health.data !== undefined && (
          <Badge tone={health.data.status === 'ok' ? 'ok' : 'danger'}>{health.data.status}</Badge>
        )}
      </header>
      <div className="card-body">
        <Answer of={health}>
          {({ database, embedder, indexing, jobs = [], audit_log: log, event_index: index }) => (
            <dl className="pairs">
              {database !== undefined && (
                <>
                  <dt>Database</dt>
                  <dd>
                    {database.kind}, {(database.size_bytes / 1_048_576).toFixed(0)} MB
                  </dd>
                </>
              )}
              {embedder !== undefined && (
                <>
                  <dt>Meaning</dt>
                  <dd>{embedder === null ? 'off: recall matches words only' : embedder.model}</dd>
                </>
              )}
              {operator && <Latency />}
              {indexing !== undefined && (
                <>
                  <dt>Index</dt>
                  <dd>
                    {indexing.waiting === 0
                      ? 'complete'
                      : `${indexing.waiting.toLocaleString('en')} memories wait, the oldest for ${Math.round(indexing.lag_seconds)} s`}
                  </dd>
                </>
              )}
              {operator && (
                <>
                  <dt>Jobs</dt>
                  <dd>
                    {total(jobs, 'waiting') === 0
                      ? 'none waiting'
                      : `${total(jobs, 'waiting')} waiting, the oldest due for ${Math.round(Math.max(0, ...jobs.map((job) => job.backlog_seconds)))} s`}
                  </dd>
                  <dt>Dead letters</dt>
                  <dd>
                    {total(jobs, 'dead_letters') > 0 ? (
                      <Link to="/operations" search={({ user }) => ({ user, tab: 'jobs' })}>
                        {total(jobs, 'dead_letters')}
                      </Link>
                    ) : (
                      'none'
                    )}
                  </dd>
                </>
              )}
              {index !== undefined && (
                <>
                  <dt>Event index</dt>
                  <dd>
                    {index.status}, lacks {index.waiting}
                  </dd>
                </>
              )}
              {log !== undefined && (
                <>
                  <dt>Audit log</dt>
                  <dd>{log.unsigned_records === 1 ? '1 record' : `${log.unsigned_records} records`} not signed yet</dd>
                </>
              )}
              {!operator && (
                <>
                  <dt>Details</dt>
                  <dd className="muted">for tokens with the role operator</dd>
                </>
              )}
            </dl>
          )}
        </Answer>
      </div>
    </section>
  );
}

const timed = [
  ['memory.recall', 'Recall'],
  ['memory.remember', 'Remember'],
] as const;

/** How long recalls and writes took in the last five minutes, against the objectives. */
function Latency() {
  const latency = useAsk('latency.get', { path: {} }, { refetchMs });
  if (latency.data === undefined) return null;
  const { operations, findings } = latency.data;
  const isSlow = ({ objective_ms: objective, now }: (typeof operations)[number]) =>
    objective !== null && now !== null && now.p95_ms > objective;
  return (
    <>
      {timed.map(([operation, label]) => {
        const found = operations.find((one) => one.operation === operation);
        if (found?.now == null) return null;
        return (
          <div key={operation} className="pair">
            <dt>{label}</dt>
            <dd>
              {sayMs(found.now.p95_ms)} <span className="muted">p95 of {sayMs(found.objective_ms ?? 0)}</span>{' '}
              <Badge tone={isSlow(found) ? 'danger' : 'ok'}>
                {isSlow(found) ? 'slower than the objective' : 'met'}
              </Badge>
            </dd>
          </div>
        );
      })}
      {(findings.length > 0 || operations.some(isSlow)) && (
        <div className="pair">
          <dt>{operations.some(isSlow) ? 'Slow' : 'Delays'}</dt>
          <dd>
            <Link to="/operations" search={({ user }) => ({ user })}>
              Find out why
            </Link>
          </dd>
        </div>
      )}
    </>
  );
}

function total<K extends string>(jobs: readonly Record<K, number>[], name: K): number {
  return jobs.reduce((sum, job) => sum + job[name], 0);
}
