import type { Operations } from '@memhall/client/operations';
import { useState } from 'react';
import { useAsk } from '../../api/api.js';
import { Answer, Empty } from '../../parts/answer.js';
import { Badge } from '../../parts/badge.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { sayMs } from './say-ms.js';
import { StageBars } from './stage-bars.js';

type Latency = Operations['latency.get']['answer'];
type Row = Latency['operations'][number];

/** Often enough to watch a change take effect. */
const refetchMs = 5000;

/** Whether it is fast enough, and why not. */
export function PerformanceTab() {
  const latency = useAsk('latency.get', { path: {} }, { refetchMs });
  return (
    <Answer of={latency}>
      {({ operations, recall_stages: stages, stalls, findings }) => (
        <>
          <Findings findings={findings} operations={operations} />
          <div className="split">
            <StageBars stages={stages} />
            <Stalls stalls={stalls} />
          </div>
          <Requests operations={operations} />
        </>
      )}
    </Answer>
  );
}

function Findings({ findings, operations }: Pick<Latency, 'findings' | 'operations'>) {
  const late = operations.filter(isLate);
  if (findings.length === 0 && late.length === 0) {
    const isMeasured = operations.some(({ objective_ms: objective, now }) => objective !== null && now !== null);
    return (
      <p className="note ok" role="status">
        {isMeasured ? 'All objectives are met.' : 'Nothing was recalled or remembered in the last five minutes.'}
      </p>
    );
  }
  return (
    <section className="note warn stack tight" aria-labelledby="slow-title" role="status">
      <h2 id="slow-title">{findings.length > 0 ? 'Why recall is slow' : 'Slower than the objective'}</h2>
      {findings.length > 0 ? (
        <ol className="findings">
          {findings.map(({ kind, about, message }) => (
            <li key={`${kind} ${about}`} data-finding={about}>
              <Text value={message} />
            </li>
          ))}
        </ol>
      ) : (
        <p>{late.map(({ operation }) => operation).join(', ')}</p>
      )}
    </section>
  );
}

function isLate({ objective_ms: objective, now }: Row): boolean {
  return objective !== null && now !== null && now.p95_ms > objective;
}

const longestStalls = 8;

function Stalls({ stalls }: Pick<Latency, 'stalls'>) {
  const longest = [...stalls].sort((one, other) => other.delay_ms - one.delay_ms).slice(0, longestStalls);
  return (
    <section className="card" aria-labelledby="stalls-title">
      <header className="card-head">
        <h2 id="stalls-title">When everything had to wait</h2>
        <span className="small muted">
          {stalls.length > longest.length ? `the longest of ${stalls.length} in 5 minutes` : 'last 5 minutes'}
        </span>
      </header>
      {stalls.length === 0 ? (
        <Empty title="Nothing kept other requests waiting." />
      ) : (
        <ul>
          {longest.map(({ at, operation, delay_ms: delay }) => (
            <li key={`${at} ${operation}`} className="operations-row">
              <span>
                {operation === 'none' ? 'while no request was served' : <code>{operation}</code>} <Time at={at} exact />
              </span>
              <Badge tone="warn">{sayMs(delay)}</Badge>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Those with an objective come first, then the slowest. */
function compare(one: Row, other: Row): number {
  const has = ({ objective_ms: objective }: Row) => Number(objective !== null);
  return has(other) - has(one) || (other.now?.p95_ms ?? 0) - (one.now?.p95_ms ?? 0);
}

const firstRows = 12;

function Requests({ operations }: Pick<Latency, 'operations'>) {
  const [isWhole, setWhole] = useState(false);
  const rows = [...operations].sort(compare);
  const shown = isWhole ? rows : rows.slice(0, firstRows);
  return (
    <section className="card" aria-labelledby="requests-title">
      <header className="card-head">
        <h2 id="requests-title">Requests</h2>
        <span className="small muted">of this process</span>
      </header>
      <div className="table-scroll">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col" className="number">
                Last 5 minutes
              </th>
              <th scope="col" className="number">
                p50
              </th>
              <th scope="col" className="number">
                p95
              </th>
              <th scope="col" className="number">
                p95 earlier in the hour
              </th>
              <th scope="col" className="number">
                Objective
              </th>
              <th scope="col">
                <span className="visually-hidden">State</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.operation}>
                <td>
                  <code>{row.operation}</code>
                </td>
                <td data-label="Last 5 minutes" className="number">
                  {row.now?.count ?? 0}
                </td>
                <td data-label="p50" className="number">
                  {row.now === null ? '–' : sayMs(row.now.p50_ms)}
                </td>
                <td data-label="p95" className="number">
                  {row.now === null ? '–' : sayMs(row.now.p95_ms)}
                </td>
                <td data-label="p95 earlier in the hour" className="number muted">
                  {row.before === null ? '–' : sayMs(row.before.p95_ms)}
                </td>
                <td data-label="Objective" className="number">
                  {row.objective_ms === null ? '' : sayMs(row.objective_ms)}
                </td>
                <td>
                  {row.objective_ms !== null && row.now !== null && (
                    <Badge tone={isLate(row) ? 'danger' : 'ok'}>{isLate(row) ? 'too slow' : 'met'}</Badge>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shown.length && (
        <p className="card-body">
          <button type="button" className="button small" onClick={() => setWhole(true)}>
            Show all {rows.length}
          </button>
        </p>
      )}
    </section>
  );
}
