import { Link } from '@tanstack/react-router';
import { useActing, useAsk } from '../../api/api.js';
import { Badge, TrustBadge } from '../../parts/badge.js';
import { Text } from '../../parts/text.js';
import type { PlayedTurn } from './use-playground.js';

/** What the last turn read from memory and wrote to it, and what the whole talk has taught it. */
export function MemorySide({ turns, sessionId }: { turns: readonly PlayedTurn[]; sessionId: string }) {
  const last = turns.at(-1);
  return (
    <div className="stack">
      <section className="card" aria-labelledby="read-title">
        <header className="card-head">
          <h2 id="read-title">Read</h2>
          <span className="small muted">before the answer</span>
        </header>
        <div className="card-body stack">
          {last === undefined || last.recalled.length === 0 ? (
            <p className="muted">Nothing was recalled.</p>
          ) : (
            <ol className="stack tight">
              {last.recalled.map(({ id, text, score, trust }) => (
                <li key={id}>
                  <span className="number small muted">{score.toFixed(3)}</span> <TrustBadge trust={trust} />{' '}
                  <Link to="/memories/$id" params={{ id }}>
                    <Text value={text} limit={200} />
                  </Link>
                </li>
              ))}
            </ol>
          )}
          {last?.reference !== undefined && (
            <details>
              <summary>What the model was shown</summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
              <pre className="shown" tabIndex={0}>
                <Text value={`${last.system}\n\n${last.reference}`} limit={20_000} />
              </pre>
            </details>
          )}
        </div>
      </section>
      <section className="card" aria-labelledby="written-title">
        <header className="card-head">
          <h2 id="written-title">Written</h2>
          <span className="small muted">after the answer</span>
        </header>
        <div className="card-body">
          {last === undefined || last.remembered.length === 0 ? (
            <p className="muted">Nothing was remembered yet.</p>
          ) : (
            <ol className="stack tight">
              {last.remembered.map(({ id, content, role, trust }) => (
                <li key={id}>
                  <Badge>{role ?? 'user'}</Badge> <TrustBadge trust={trust} />{' '}
                  <Link to="/memories/$id" params={{ id }}>
                    <Text value={content} limit={200} />
                  </Link>
                </li>
              ))}
            </ol>
          )}
        </div>
      </section>
      {turns.some(({ remembered }) => remembered.length > 0) && <Learned sessionId={sessionId} />}
    </div>
  );
}

/** Facts that follow from the talk, as they are now. */
function Learned({ sessionId }: { sessionId: string }) {
  const { tenantId, userId } = useActing();
  const path = { tenant_id: tenantId, user_id: userId, conversation_id: sessionId };
  const found = useAsk('conversations.get', { path }, { keepPrevious: true });
  const facts = found.data?.facts ?? [];
  return (
    <section className="card" aria-labelledby="learned-title">
      <header className="card-head">
        <h2 id="learned-title">Learned in this talk</h2>
        <Link to="/conversations/$id" params={{ id: sessionId }} className="small">
          Open the conversation
        </Link>
      </header>
      <ul className="card-body stack tight" aria-live="polite">
        {facts.length === 0 && <li className="muted">No fact yet.</li>}
        {facts.map(({ fact_id: id, subject, attribute, value, status }) => (
          <li key={id}>
            <Badge tone={status === 'current' ? 'ok' : 'plain'}>{status}</Badge>{' '}
            <Link to="/subjects/$subject" params={{ subject }}>
              <Text value={subject} limit={80} />
            </Link>{' '}
            <Text value={`${attribute} ${value}`} limit={300} />
          </li>
        ))}
      </ul>
    </section>
  );
}
