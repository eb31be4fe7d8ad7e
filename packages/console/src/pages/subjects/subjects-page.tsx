import { Link } from '@tanstack/react-router';
import { useActing, useAsk, usePages } from '../../api/api.js';
import { Answer, Empty, Waiting } from '../../parts/answer.js';
import { Badge } from '../../parts/badge.js';
import { ErrorNote } from '../../parts/error-note.js';
import { Page } from '../../parts/page.js';
import { StaleNote } from '../../parts/stale-note.js';
import { Text } from '../../parts/text.js';
import { FactRow } from './fact-row.js';

/** The people, places, projects and things that facts are about. */
export function SubjectsPage() {
  const { onBehalf } = useActing();
  const unconfirmed = useAsk('facts.list', { path: {}, query: { unconfirmed: true, limit: 20, ...onBehalf } });
  const pages = usePages('subjects.list', { path: {}, query: onBehalf });
  const subjects = pages.data?.pages.flatMap((page) => page.subjects) ?? [];
  return (
    <Page title="Subjects and facts" lead="What is true of whom, since when, and on whose word.">
      <Answer of={unconfirmed}>
        {({ facts }) =>
          facts.length === 0 ? null : (
            <section className="card" aria-labelledby="unconfirmed-title">
              <header className="card-head">
                <h2 id="unconfirmed-title">Waiting for your word</h2>
                <Badge tone="warn">{facts.length === 20 ? '20 or more' : facts.length}</Badge>
              </header>
              <ul>
                {facts.map((fact) => (
                  <FactRow key={fact.id} fact={fact} isNamed />
                ))}
              </ul>
            </section>
          )
        }
      </Answer>
      <section className="card" aria-labelledby="subjects-title">
        <header className="card-head">
          <h2 id="subjects-title">Subjects</h2>
        </header>
        {pages.isError && <ErrorNote error={pages.error} />}
        {pages.isPending && <Waiting />}
        <StaleNote of={pages} />
        {pages.data !== undefined && subjects.length === 0 && (
          <Empty title="No facts yet.">They are learned from what is said, such as “I live in Oslo”.</Empty>
        )}
        <ul>
          {subjects.map(({ subject, aliases, facts, current }) => (
            <li key={subject} className="subject-row" data-row>
              <Link to="/subjects/$subject" params={{ subject }}>
                <Text value={subject} limit={120} />
              </Link>
              {aliases.length > 0 && (
                <span className="small muted">
                  also <Text value={aliases.join(', ')} limit={160} />
                </span>
              )}
              <span className="small muted number">
                {current} current of {facts}
              </span>
            </li>
          ))}
        </ul>
        {pages.hasNextPage && (
          <div className="card-body">
            <button type="button" className="button" onClick={() => void pages.fetchNextPage()}>
              Show more
            </button>
          </div>
        )}
      </section>
    </Page>
  );
}
