import type { Context } from '@memhall/client/operations';
import { useSearch } from '@tanstack/react-router';
import { useActing, useAsk } from '../../api/api.js';
import { Answer, Empty, Waiting } from '../../parts/answer.js';
import { ErrorNote } from '../../parts/error-note.js';
import { Page } from '../../parts/page.js';
import { useProfiles } from '../documents/use-profiles.js';
import './context.css';
import { ContextForm } from './context-form.js';
import { partsOf } from './context-parts.js';
import { toContextBody, withoutBudget } from './context-request.js';
import { ContextText } from './context-text.js';
import { PartList } from './part-list.js';

/** What a model would get to read for this user and question, and what the budget keeps from it. */
export function ContextPage() {
  const search = useSearch({ from: '/context' });
  const { userId } = useActing();
  const { profiles, isError, error } = useProfiles();
  const profileId = search.profile ?? profiles?.[0]?.profile_id;
  return (
    <Page
      title="Context preview"
      lead={`What a model would see of ${userId}, with what it costs and what the budget cut.`}
    >
      {isError && <ErrorNote error={error} />}
      {profiles === undefined && !isError && <Waiting />}
      {profiles !== undefined && (
        <>
          <ContextForm profiles={profiles.map(({ profile_id: id }) => id)} profileId={profileId ?? ''} />
          {profileId === undefined ? <Empty title="The tenant has no profile." /> : <Preview profileId={profileId} />}
        </>
      )}
    </Page>
  );
}

function Preview({ profileId }: { profileId: string }) {
  const search = useSearch({ from: '/context' });
  const { tenantId, userId } = useActing();
  const path = { tenant_id: tenantId, user_id: userId };
  const body = toContextBody(profileId, search);
  const found = useAsk('context.assemble', { path, body }, { keepPrevious: true });
  const whole = useAsk('context.assemble', { path, body: withoutBudget(body) }, { keepPrevious: true });
  return (
    <Answer of={found}>
      {(context) => (
        <>
          {context.incomplete === true && (
            <p className="note warn">
              Something may be missing: a source of memories did not answer, or is being loaded.
            </p>
          )}
          <PartList parts={partsOf(context, whole.data)} />
          {whole.isError && <ErrorNote error={whole.error} />}
          <Routing context={context} />
          <ContextText context={context} hasQuery={search.q !== undefined} />
        </>
      )}
    </Answer>
  );
}

const routings: Readonly<Record<string, string>> = {
  explicit: 'the project was named',
  alias_match: 'the conversation names it',
  keyword_match: 'the conversation has its keywords',
  semantic: 'the meaning of the conversation is nearest to it',
  ambiguous: 'several projects fit, and none fits best',
  no_match: 'no project fits',
  no_hint: 'nothing is known about the conversation',
};

/** Says why the documents of a project are there, or of none. */
function Routing({ context: { selected_project_id: selected, routing_debug: routing } }: { context: Context }) {
  if (routing === undefined) return null;
  const { reason, candidates, deterministic_score: words, semantic_score: meaning } = routing;
  return (
    <section className="card" aria-label="Project">
      <header className="card-head">
        <h2>{selected === null ? 'No project' : `Project ${selected}`}</h2>
        <span className="small muted">{routings[reason] ?? reason}</span>
      </header>
      <dl className="pairs card-body">
        <dt>Reason</dt>
        <dd>
          <code>{reason}</code>
        </dd>
        <dt>Scores</dt>
        <dd>
          words {words.toFixed(2)}
          {meaning !== null && `, meaning ${meaning.toFixed(2)}`}
        </dd>
        <dt>Considered</dt>
        <dd>{candidates.join(', ') || 'none'}</dd>
      </dl>
    </section>
  );
}
