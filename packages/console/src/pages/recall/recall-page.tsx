import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useId } from 'react';
import { useActing, useAsk } from '../../api/api.js';
import { Answer, Empty } from '../../parts/answer.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Fold } from '../../parts/fold.js';
import { Page } from '../../parts/page.js';
import './recall.css';
import {
  pickSettings,
  type RecallBody,
  type RecallResult,
  settingsFromText,
  settingsToText,
  toBody,
  toCurl,
  toTypeScript,
} from './recall-settings.js';
import { ResultCard } from './result-card.js';
import { SettingsForm } from './settings-form.js';
import { WhyPanel } from './why-panel.js';

/** Everything that is asked for is in the address, so that it can be sent to somebody. */
export function RecallPage() {
  const search = useSearch({ from: '/recall' });
  const navigate = useNavigate({ from: '/recall' });
  const { onBehalf } = useActing();
  const q = search.q ?? '';
  const settings = pickSettings(search);
  const others = search.vs === undefined ? undefined : settingsFromText(search.vs);
  const change = (change: Partial<typeof search>) =>
    navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  const body = toBody(q, settings, onBehalf);
  return (
    <Page title="Recall lab" lead="Ask what an agent would ask, and see why each memory is found, or not.">
      <QueryForm key={q} q={q} onAsk={(next) => navigate({ search: (all) => ({ ...all, q: next, why: undefined }) })} />
      <Fold title="Settings">
        <div className="card card-body">
          <SettingsForm
            label={others === undefined ? 'Settings' : 'These settings'}
            isNamed={others !== undefined}
            settings={settings}
            onChange={(next) => change(next)}
          />
          {others !== undefined && (
            <>
              <hr className="separator" />
              <SettingsForm
                label="The others"
                isNamed
                settings={others}
                onChange={(next) => change({ vs: settingsToText(next) || 'limit=10' })}
              />
            </>
          )}
          <div className="row recall-actions">
            <button
              type="button"
              className="button small"
              aria-pressed={others !== undefined}
              onClick={() => change({ vs: others === undefined ? settingsToText(settings) || 'limit=10' : undefined })}
            >
              Compare two settings
            </button>
            {q !== '' && (
              <>
                <CopyButton label="Copy as curl" text={() => toCurl(body)} />
                <CopyButton label="Copy as TypeScript" text={() => toTypeScript(body)} />
              </>
            )}
          </div>
        </div>
      </Fold>
      {q === '' ? (
        <Empty title="Nothing asked yet.">
          Press <kbd>/</kbd> and type a question, such as “Where do I live?”.
        </Empty>
      ) : (
        <>
          {others === undefined ? (
            <Results title="Results" body={body} />
          ) : (
            <Compared bodies={[body, toBody(q, others, onBehalf)]} />
          )}
          <WhyPanel body={body} memoryId={search.why} onAsk={(why) => change({ why })} />
        </>
      )}
    </Page>
  );
}

function QueryForm({ q, onAsk }: { q: string; onAsk(q: string): void }) {
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const asked = String(new FormData(event.currentTarget).get('q')).trim();
    if (asked !== '') onAsk(asked);
  };
  return (
    <search>
      <form onSubmit={submit} className="query-form">
        <label htmlFor={id} className="visually-hidden">
          Question
        </label>
        <input id={id} name="q" type="search" defaultValue={q} placeholder="Question   /" data-shortcut="/" />
        <button type="submit" className="button primary">
          Recall
        </button>
      </form>
    </search>
  );
}

function useRecall(body: RecallBody) {
  return useAsk('memory.recall', { path: {}, body }, { keepPrevious: true });
}

function memoriesOf(answer: ReturnType<typeof useRecall>['data']): RecallResult[] {
  return answer?.results.filter((one): one is RecallResult => 'text' in one) ?? [];
}

function Results({ title, body }: { title: string; body: RecallBody }) {
  return <ResultList title={title} found={useRecall(body)} />;
}

function Compared({ bodies: [first, second] }: { bodies: readonly [RecallBody, RecallBody] }) {
  const left = useRecall(first);
  const right = useRecall(second);
  const idsOf = ({ data }: typeof left) => data && { compareTo: memoriesOf(data).map(({ id }) => id) };
  return (
    <div className="compared">
      <ResultList title="These settings" found={left} {...idsOf(right)} />
      <ResultList title="The others" found={right} {...idsOf(left)} />
    </div>
  );
}

interface ResultListProps {
  title: string;
  found: ReturnType<typeof useRecall>;
  compareTo?: readonly string[];
}

function ResultList({ title, found, compareTo }: ResultListProps) {
  return (
    <section className="card" aria-label={title}>
      <header className="card-head">
        <h2>{title}</h2>
        {found.data !== undefined && <span className="muted small">{memoriesOf(found.data).length} found</span>}
      </header>
      <Answer of={found}>
        {(answer) => (
          <>
            {answer.incomplete === true && (
              <p className="note warn">The memory plugin did not answer, so its memories are missing.</p>
            )}
            {memoriesOf(answer).length === 0 ? (
              <Empty title="Nothing was found.">Ask below why the memory you expected is not here.</Empty>
            ) : (
              <ol className="results">
                {memoriesOf(answer).map((result, index) => (
                  <ResultCard
                    key={result.id}
                    result={result}
                    rank={index + 1}
                    {...(compareTo !== undefined && { otherRank: rankIn(compareTo, result.id) })}
                  />
                ))}
              </ol>
            )}
          </>
        )}
      </Answer>
    </section>
  );
}

function rankIn(ids: readonly string[], id: string): number | null {
  const index = ids.indexOf(id);
  return index === -1 ? null : index + 1;
}
