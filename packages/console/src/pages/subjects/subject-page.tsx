import type { SubjectPage as Subject } from '@memhall/client/operations';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useId } from 'react';
import { useActing, useAsk } from '../../api/api.js';
import { Answer, Empty } from '../../parts/answer.js';
import { Badge, TrustBadge } from '../../parts/badge.js';
import { MomentInput } from '../../parts/moment-input.js';
import { Page } from '../../parts/page.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { FactRow } from './fact-row.js';
import { Names } from './names.js';

/** The page of a person, place, project or thing, at any time in the world and in the store. */
export function SubjectPage() {
  const { subject } = useParams({ from: '/subjects/$subject' });
  const { as_of, known_at } = useSearch({ from: '/subjects/$subject' });
  const { onBehalf } = useActing();
  const times = { ...(as_of && { as_of }), ...(known_at && { known_at }) };
  const found = useAsk('subjects.get', { path: { subject }, query: { ...times, ...onBehalf } }, { keepPrevious: true });
  return (
    <Page title={subject} lead="What is true of it, what happened, and who says so." actions={<Times />}>
      <Answer of={found}>
        {(page) => (
          <div className="subject-detail">
            <div className="stack">
              <section className="card" aria-labelledby="true-title">
                <header className="card-head">
                  <h2 id="true-title">Facts</h2>
                </header>
                {page.facts.length === 0 && <Empty title="Nothing is true of it at this time." />}
                <ul>
                  {page.facts.map((fact) => (
                    <FactRow key={fact.id} fact={fact} />
                  ))}
                </ul>
              </section>
              <Sources sources={page.sources} />
            </div>
            <div className="stack">
              <Names page={page} />
              <Timeline page={page} />
            </div>
          </div>
        )}
      </Answer>
    </Page>
  );
}

function Times() {
  const search = useSearch({ from: '/subjects/$subject' });
  const navigate = useNavigate({ from: '/subjects/$subject' });
  const id = useId();
  return (
    <div className="row">
      {(['as_of', 'known_at'] as const).map((name) => (
        <div key={name} className="field">
          <label htmlFor={`${id}-${name}`}>{name === 'as_of' ? 'True as of' : 'As known at'}</label>
          <MomentInput
            id={`${id}-${name}`}
            value={search[name]}
            onChange={(moment) => navigate({ search: (all) => ({ ...all, [name]: moment }), replace: true })}
          />
        </div>
      ))}
    </div>
  );
}

function Timeline({ page }: { page: Subject }) {
  return (
    <section className="card" aria-labelledby="timeline-title">
      <header className="card-head">
        <h2 id="timeline-title">Timeline</h2>
      </header>
      {page.timeline.length === 0 && <Empty title="Nothing happened yet." />}
      <ol className="timeline card-body">
        {page.timeline.toReversed().map(({ at, event, fact_id: id, attribute, value, evidence }) => (
          <li key={`${id}-${event}`} className={event}>
            <div className="small muted">
              <Time at={at} exact /> <Badge tone={event === 'began' ? 'ok' : 'plain'}>{event}</Badge>
            </div>
            <span className="muted">
              <Text value={attribute} limit={100} />
            </span>{' '}
            <Text value={value} limit={300} />{' '}
            {evidence[0] !== undefined && (
              <Link to="/memories/$id" params={{ id: evidence[0] }} className="small">
                evidence
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Sources({ sources }: { sources: Subject['sources'] }) {
  return (
    <section className="card" aria-labelledby="sources-title">
      <header className="card-head">
        <h2 id="sources-title">Who says so</h2>
      </header>
      {sources.length === 0 && <Empty title="Only what was stated directly." />}
      <ul>
        {sources.map(({ id, text, kind, trust, occurred_at: at }) => (
          <li key={id} className="subject-row" data-row>
            <Link to="/memories/$id" params={{ id }}>
              <Text value={text} limit={200} />
            </Link>
            <span className="row small muted">
              <Badge>{kind}</Badge>
              <TrustBadge trust={trust} />
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
