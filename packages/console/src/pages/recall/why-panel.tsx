import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useActing, useAsk } from '../../api/api.js';
import { Answer, Empty } from '../../parts/answer.js';
import { Badge } from '../../parts/badge.js';
import { Text } from '../../parts/text.js';
import type { RecallBody, RecallResult } from './recall-settings.js';
import { ScoreBars } from './score-bars.js';

interface WhyPanelProps {
  body: RecallBody;
  /** The memory that is asked about. */
  memoryId: string | undefined;
  onAsk(memoryId: string): void;
}

/** Answers "why not this one?" for any memory that the person can find. */
export function WhyPanel({ body, memoryId, onAsk }: WhyPanelProps) {
  const [words, setWords] = useState('');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = String(new FormData(event.currentTarget).get('expected')).trim();
    if (/^[A-Za-z0-9._:@-]{20,128}$/.test(given)) onAsk(given);
    else setWords(given);
  };
  return (
    <section className="card" aria-labelledby="why-title">
      <header className="card-head">
        <h2 id="why-title">Why not this one?</h2>
      </header>
      <div className="card-body stack">
        <form onSubmit={submit} className="row">
          <input
            name="expected"
            aria-label="Words or id of the memory you expected"
            placeholder="Words or id of the memory you expected"
            required
          />
          <button type="submit" className="button">
            Find it
          </button>
        </form>
        {words !== '' && <Candidates words={words} chosen={memoryId} onAsk={onAsk} />}
        {memoryId !== undefined && <Reason body={body} memoryId={memoryId} />}
      </div>
    </section>
  );
}

function Candidates({ words, chosen, onAsk }: { words: string; chosen: string | undefined; onAsk(id: string): void }) {
  const { onBehalf } = useActing();
  const found = useAsk('memory.recall', {
    path: {},
    body: { query: words, limit: 20, include_superseded: true, ...onBehalf },
  });
  return (
    <Answer of={found}>
      {({ results }) => {
        const memories = results.filter((one): one is RecallResult => 'text' in one);
        if (memories.length === 0) return <Empty title="No memory has these words or this meaning." />;
        return (
          <ul className="candidates">
            {memories.map(({ id, text, kind }) => (
              <li key={id}>
                <button type="button" className="candidate" aria-pressed={id === chosen} onClick={() => onAsk(id)}>
                  <Text value={text} limit={160} /> <Badge>{kind}</Badge>
                </button>
              </li>
            ))}
          </ul>
        );
      }}
    </Answer>
  );
}

function Reason({ body: { embedder: _, ...body }, memoryId }: { body: RecallBody; memoryId: string }) {
  const why = useAsk('memory.why', { path: {}, body: { ...body, memory_id: memoryId } });
  return (
    <Answer of={why}>
      {({ returned, rank, reason, explain }) => (
        <div className={returned ? 'note ok stack tight' : 'note warn stack tight'} role="status" data-reason={reason}>
          <div className="row">
            <Badge tone={returned ? 'ok' : 'warn'}>{returned ? 'returned' : 'left out'}</Badge>
            <Badge>{reason}</Badge>
            {rank !== undefined && <span className="small">rank {rank}</span>}
            {explain.score !== undefined && <span className="small">score {explain.score.toFixed(3)}</span>}
            <Link to="/memories/$id" params={{ id: memoryId }} className="small">
              Open the memory
            </Link>
          </div>
          <p>
            <Text value={explain.message} />
          </p>
          {explain.filters !== undefined && (
            <p className="small">
              Left out by <code>{explain.filters.join(', ')}</code>
            </p>
          )}
          {explain.copy_of !== undefined && (
            <p className="small">
              Copy of{' '}
              <Link to="/memories/$id" params={{ id: explain.copy_of.id }}>
                {explain.copy_of.id}
              </Link>
              : <Text value={explain.copy_of.reason} limit={200} />
            </p>
          )}
          {explain.cosine_floor !== undefined && (
            <p className="small">
              Without a common word, a memory is found from a cosine of {explain.cosine_floor.toFixed(3)}.
            </p>
          )}
          {explain.parts !== undefined && <ScoreBars parts={explain.parts} />}
        </div>
      )}
    </Answer>
  );
}
