import type { Context } from '@memhall/client/operations';
import { Link } from '@tanstack/react-router';
import { Empty } from '../../parts/answer.js';
import { Badge, TrustBadge } from '../../parts/badge.js';
import { type Json, toText } from '../../parts/json-value.js';
import { LongText, Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';

type ContextDocument = Context['documents'][number];
type Cited = NonNullable<Context['memories']>[number];

/** The parts themselves, as a model gets them. */
export function ContextText({ context, hasQuery }: { context: Context; hasQuery: boolean }) {
  const { documents, memories } = context;
  return (
    <section className="card" aria-label="What the model reads">
      <header className="card-head">
        <h2>What the model reads</h2>
      </header>
      {documents.length === 0 && <Empty title="No document.">None exists yet, or none fits the limits.</Empty>}
      <ol>
        {documents.map((document) => (
          <DocumentText key={document.binding_id} document={document} />
        ))}
      </ol>
      {!hasQuery && (
        <Empty title="No memories.">They are added for a question. Press / and type the question of the agent.</Empty>
      )}
      {memories !== undefined && memories.length === 0 && <Empty title="No memory fits the question and the budget." />}
      <ol>
        {memories?.map((memory) => (
          <MemoryText key={memory.id} memory={memory} />
        ))}
      </ol>
    </section>
  );
}

function DocumentText({ document: shown }: { document: ContextDocument }) {
  const { namespace, path, binding_id: binding, document, withheld_entries: withheld, stale = [] } = shown;
  return (
    <li className="context-item">
      <header className="row">
        <Link to="/documents/$namespace/$path" params={{ namespace, path }}>
          <Text value={`${namespace}/${path}`} limit={200} />
        </Link>
        <Badge>{binding}</Badge>
        {withheld !== undefined && <Badge tone="danger">{withheld} withheld</Badge>}
        {stale.length > 0 && <Badge tone="warn">{stale.length} stale</Badge>}
        {shown.classifications?.map(({ path: place, classification }) => (
          <Badge key={place} tone="accent">
            {place}: {classification.replaceAll('_', ' ')}
          </Badge>
        ))}
      </header>
      <details open>
        <summary className="small muted">Content</summary>
        <div className="context-json">
          <LongText value={toText(document.content as Json)} />
        </div>
      </details>
    </li>
  );
}

function MemoryText({ memory }: { memory: Cited }) {
  const { id, text, kind, trust, score, occurred_at: at, author, own, current, note } = memory;
  return (
    <li className="context-item">
      <LongText value={text} />
      <p className="row small muted">
        <Badge>{kind}</Badge>
        <TrustBadge trust={trust} />
        {!current && <Badge tone="warn">no longer true</Badge>}
        {!own && <Badge tone="warn">words of {author === '' ? 'somebody else' : author}</Badge>}
        <span>score {score.toFixed(3)}</span>
        <Time at={at} />
        <Link to="/memories/$id" params={{ id }}>
          Open
        </Link>
      </p>
      {note !== undefined && (
        <p className="small warn-text">
          <Text value={note} limit={600} />
        </p>
      )}
    </li>
  );
}
