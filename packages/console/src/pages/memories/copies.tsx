import type { AnyMemory } from '@memhall/client/operations';
import { Link } from '@tanstack/react-router';
import { useActing, useAsk } from '../../api/api.js';
import { Answer, Empty } from '../../parts/answer.js';

/** The most that a recall takes as a query. */
const queryCharacters = 1000;

/** Every other place where the same author says the same, as a recall joins them. */
export function Copies({ memory }: { memory: AnyMemory }) {
  const { onBehalf } = useActing();
  const found = useAsk('memory.recall', {
    path: {},
    body: {
      query: memory.content.slice(0, queryCharacters),
      limit: 20,
      include_superseded: true,
      explain: true,
      ...onBehalf,
    },
  });
  return (
    <section className="card" aria-labelledby="copies-title">
      <header className="card-head">
        <h2 id="copies-title">Copies</h2>
      </header>
      <Answer of={found}>
        {({ results }) => {
          const own = results.find(
            (one) => 'text' in one && (one.id === memory.id || one.also?.includes(memory.id) === true),
          );
          const reasons = new Map(
            own !== undefined && 'text' in own ? own.explain?.copies.map(({ id, reason }) => [id, reason]) : [],
          );
          const ids =
            own !== undefined && 'text' in own ? [own.id, ...(own.also ?? [])].filter((id) => id !== memory.id) : [];
          if (ids.length === 0) return <Empty title="It is stored once." />;
          return (
            <ul className="card-body stack tight">
              {ids.map((id) => (
                <li key={id}>
                  <Link to="/memories/$id" params={{ id }}>
                    <code>{id}</code>
                  </Link>{' '}
                  <span className="small muted">{reasons.get(id) ?? 'shown in its place'}</span>
                </li>
              ))}
            </ul>
          );
        }}
      </Answer>
    </section>
  );
}
