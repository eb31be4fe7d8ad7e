import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useActing, useAsk, useRights } from '../../api/api.js';
import { Answer, Empty } from '../../parts/answer.js';
import { Badge, TrustBadge } from '../../parts/badge.js';
import { Page } from '../../parts/page.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import './home.css';
import { Decisions } from './decisions.js';
import { Health } from './health.js';

/** What was learned today, what needs a decision, and how the server does, in one screen. */
export function HomePage() {
  const { userId } = useActing();
  const rights = useRights();
  return (
    <Page title="Home" lead={rights.memory ? `The memory of ${userId || 'no user'}, today.` : 'How the server does.'}>
      <div className="home">
        {rights.memory && <Learned />}
        <div className="stack">
          {rights.memory && <Decisions />}
          <Health />
        </div>
      </div>
    </Page>
  );
}

/** As many as fit in one screen with the rest. */
const latest = 8;

function Learned() {
  const { onBehalf } = useActing();
  const today = useMemo(() => new Date(new Date().setHours(0, 0, 0, 0)).getTime(), []);
  const facts = useAsk('facts.list', { path: {}, query: { limit: latest + 1, ...onBehalf } });
  const memories = useAsk('memory.list', { path: {}, query: { limit: 6, ...onBehalf } });
  const isNew = ({ recorded_at: at }: { recorded_at: string }) => Date.parse(at) >= today;
  return (
    <div className="stack">
      <section className="card" aria-labelledby="facts-title">
        <header className="card-head">
          <h2 id="facts-title">Learned today</h2>
          <Link to="/subjects">All facts</Link>
        </header>
        <Answer of={facts}>
          {(answer) => {
            const learned = answer.facts.filter(isNew);
            if (learned.length === 0) return <Empty title="No new facts today." />;
            return (
              <ul>
                {learned.slice(0, latest).map(({ id, subject, attribute, value, status, trust }) => (
                  <li key={id} className="home-row" data-row>
                    <Link to="/subjects/$subject" params={{ subject }}>
                      <Text value={subject} limit={60} />
                    </Link>
                    <span>
                      <span className="muted">
                        <Text value={attribute} limit={60} />
                      </span>{' '}
                      <Text value={value} limit={160} />
                    </span>
                    <span className="row">
                      {status !== 'current' && <Badge tone="warn">{status}</Badge>}
                      <TrustBadge trust={trust} />
                    </span>
                  </li>
                ))}
                {learned.length > latest && <li className="home-row muted">and more</li>}
              </ul>
            );
          }}
        </Answer>
      </section>
      <section className="card" aria-labelledby="memories-title">
        <header className="card-head">
          <h2 id="memories-title">Latest memories</h2>
          <Link to="/memories">All memories</Link>
        </header>
        <Answer of={memories}>
          {(answer) =>
            answer.memories.length === 0 ? (
              <Empty title="Nothing remembered yet.">
                Agents, services and <code>npx memhall remember</code> write here.
              </Empty>
            ) : (
              <ul>
                {answer.memories.map(({ id, content, kind, occurred_at: at }) => (
                  <li key={id} className="home-row memory" data-row>
                    <Link to="/memories/$id" params={{ id }} className="home-text">
                      <Text value={content} limit={160} />
                    </Link>
                    <Badge>{kind}</Badge>
                    <span className="small muted number">
                      <Time at={at} />
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Answer>
      </section>
    </div>
  );
}
