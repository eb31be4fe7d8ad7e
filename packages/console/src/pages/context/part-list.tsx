import { Text } from '../../parts/text.js';
import type { ContextPart } from './context-parts.js';

/** Tokens of each part, as a bar and as numbers, and why the rest is not there. */
export function PartList({ parts }: { parts: readonly ContextPart[] }) {
  const kept = parts.filter(({ cut }) => cut === undefined);
  const cut = parts.filter((part) => part.cut !== undefined);
  const sum = (some: readonly ContextPart[]) => some.reduce((total, { tokens }) => total + tokens, 0);
  const missed = cut.filter(({ tokens }) => tokens > 0);
  const most = Math.max(1, ...parts.map(({ tokens }) => tokens));
  return (
    <section className="card" aria-label="Tokens">
      <header className="card-head">
        <h2>{sum(kept).toLocaleString('en')} tokens</h2>
        <span className="small muted">
          {kept.length} {kept.length === 1 ? 'part' : 'parts'}, 4 characters a token
          {missed.length > 0 && ` · the budget cut ${sum(missed).toLocaleString('en')} more`}
        </span>
      </header>
      <div className="token-bar" aria-hidden="true">
        {kept.map(({ id, kind, tokens }) => (
          <span key={id} className={kind} style={{ flexGrow: tokens }} />
        ))}
      </div>
      <ul className="context-parts">
        {[...kept, ...cut].map((part) => (
          <Part key={part.id} part={part} most={most} />
        ))}
      </ul>
    </section>
  );
}

function Part({ part: { title, kind, tokens, cut }, most }: { part: ContextPart; most: number }) {
  return (
    <li className={cut === undefined ? 'context-part' : 'context-part cut'}>
      <span className="small muted">{kind}</span>
      <span className="context-part-title">
        <Text value={title} limit={160} />
        {cut !== undefined && (
          <span className="small warn-text">
            {' '}
            — {tokens > 0 ? 'cut' : 'not there'}: {cut}
          </span>
        )}
      </span>
      <span className="part-bar" aria-hidden="true">
        <span className={kind} style={{ width: `${(tokens / most) * 100}%` }} />
      </span>
      <span className="number small">{tokens === 0 ? '' : `${tokens.toLocaleString('en')} tokens`}</span>
    </li>
  );
}
