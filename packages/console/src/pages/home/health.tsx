import { useAsk, useRights } from '../../api/api.js';
import { Answer } from '../../parts/answer.js';
import { Badge } from '../../parts/badge.js';

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
          {({ database, embedder, jobs = [], audit_log: log, event_index: index }) => (
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
              {operator && (
                <>
                  <dt>Jobs</dt>
                  <dd>
                    {total(jobs, 'waiting')} waiting, the oldest due for{' '}
                    {Math.round(Math.max(0, ...jobs.map((job) => job.backlog_seconds)))} s
                  </dd>
                  <dt>Dead letters</dt>
                  <dd>
                    {total(jobs, 'dead_letters') > 0 ? (
                      <Badge tone="danger">{total(jobs, 'dead_letters')}</Badge>
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
                  <dd>{log.unsigned_records} records not signed yet</dd>
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

function total<K extends string>(jobs: readonly Record<K, number>[], name: K): number {
  return jobs.reduce((sum, job) => sum + job[name], 0);
}
