import { useParams } from '@tanstack/react-router';
import { useActing, useAsk } from '../../api/api.js';
import { Answer, Empty } from '../../parts/answer.js';
import { Badge, TrustBadge } from '../../parts/badge.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Page } from '../../parts/page.js';
import { LongText, Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { FactRow } from '../subjects/fact-row.js';
import './memories.css';
import { Copies } from './copies.js';
import { MemoryActions } from './memory-actions.js';
import { OriginPairs } from './origin-pairs.js';

/** One memory from any surface: where it comes from, who changed it, and what was made from it. */
export function MemoryPage() {
  const { id } = useParams({ from: '/memories/$id' });
  const { onBehalf } = useActing();
  const found = useAsk('memory.get', { path: { id }, query: onBehalf });
  return (
    <Page title="Memory" lead={<code>{id}</code>} actions={<CopyButton label="Copy id" text={() => id} />}>
      <Answer of={found}>
        {({ memory, history, etag }) => (
          <div className="memory-detail">
            <div className="stack">
              <section className="card" aria-label="Text">
                <div className="card-body memory-full">
                  <LongText value={memory.content} />
                </div>
                <footer className="memory-actions">
                  <MemoryActions memory={memory} etag={etag ?? '*'} />
                </footer>
              </section>
              <MadeFacts id={id} />
              <Copies memory={memory} />
            </div>
            <div className="stack">
              <section className="card" aria-labelledby="about-title">
                <header className="card-head">
                  <h2 id="about-title">About it</h2>
                  <span className="row">
                    {memory.pin && <Badge tone="accent">pinned</Badge>}
                    <Badge>{memory.kind}</Badge>
                    <TrustBadge trust={memory.trust} />
                  </span>
                </header>
                <div className="card-body">
                  <OriginPairs memory={memory} />
                </div>
              </section>
              <section className="card" aria-labelledby="history-title">
                <header className="card-head">
                  <h2 id="history-title">History</h2>
                </header>
                <ol className="card-body steps">
                  {history.map((step, index) => (
                    <li key={`${step.at}-${step.operation}`}>
                      <Time at={step.at} exact /> <Badge>{sayChange(step.change, index === 0)}</Badge>{' '}
                      <span className="muted">
                        through {step.surface}
                        {(step.user_id ?? step.service_id) !== null && (
                          <>
                            {' '}
                            by <Text value={step.user_id ?? step.service_id ?? ''} limit={80} />
                          </>
                        )}{' '}
                        (<code>{step.operation}</code>)
                      </span>
                    </li>
                  ))}
                </ol>
              </section>
            </div>
          </div>
        )}
      </Answer>
    </Page>
  );
}

function sayChange(change: string, isFirst: boolean): string {
  return change === 'written' && !isFirst ? 'new text' : change;
}

function MadeFacts({ id }: { id: string }) {
  const { onBehalf } = useActing();
  const facts = useAsk('facts.list', {
    path: {},
    query: { evidence: id, include_superseded: true, limit: 100, ...onBehalf },
  });
  return (
    <section className="card" aria-labelledby="facts-title">
      <header className="card-head">
        <h2 id="facts-title">Facts made from it</h2>
      </header>
      <Answer of={facts}>
        {(answer) =>
          answer.facts.length === 0 ? (
            <Empty title="No fact is based on it." />
          ) : (
            <ul>
              {answer.facts.map((fact) => (
                <FactRow key={fact.id} fact={fact} isNamed />
              ))}
            </ul>
          )
        }
      </Answer>
    </section>
  );
}
