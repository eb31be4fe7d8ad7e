import type { Operations } from '@memhall/client/operations';
import { Empty } from '../../parts/answer.js';
import { sayMs } from './say-ms.js';

type Stages = Operations['latency.get']['answer']['recall_stages'];

const order = ['load', 'embed', 'match', 'fetch', 'rerank', 'outside'];
const names: Readonly<Record<string, string>> = {
  load: 'Read the index',
  embed: 'Embed the question',
  match: 'Compare',
  fetch: 'Fetch the texts',
  rerank: 'Rerank',
  outside: 'Ask the plugin',
};

/** What a recall spends its time on, now and before, on one scale. */
export function StageBars({ stages }: { stages: Stages }) {
  const rows = order.flatMap((name) => stages.filter(({ stage }) => stage === name));
  const longest = Math.max(1, ...rows.flatMap(({ now, before }) => [now?.mean_ms ?? 0, before?.mean_ms ?? 0]));
  return (
    <section className="card" aria-labelledby="stages-title">
      <header className="card-head">
        <h2 id="stages-title">What a recall spends its time on</h2>
        <span className="small muted">on average</span>
      </header>
      {rows.length === 0 ? (
        <Empty title="Nothing was recalled in the last hour." />
      ) : (
        <dl className="stages card-body">
          {rows.map(({ stage, now, before }) => (
            <div key={stage} data-stage={stage}>
              <dt>{names[stage] ?? stage}</dt>
              <dd>
                <Bar ms={now?.mean_ms ?? null} longest={longest} when="now" />
                <Bar ms={before?.mean_ms ?? null} longest={longest} when="before" />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function Bar({ ms, longest, when }: { ms: number | null; longest: number; when: 'now' | 'before' }) {
  const width = `${Math.max(0.5, (100 * (ms ?? 0)) / longest)}%`;
  return (
    <div className={`stage-bar ${when}`}>
      <span className="stage-track">{ms !== null && <span className="stage-fill" style={{ width }} />}</span>
      <span className="number small">
        <span className={when === 'now' ? 'visually-hidden' : 'muted'}>{when === 'now' ? 'now' : 'before'} </span>
        {ms === null ? '–' : sayMs(ms)}
      </span>
    </div>
  );
}
