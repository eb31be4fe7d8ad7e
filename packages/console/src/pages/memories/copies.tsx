import type { AnyMemory } from '@memhall/client/operations';
import { Link } from '@tanstack/react-router';
import { useActing, useAsk } from '../../api/api.js';
import { Answer, Empty } from '../../parts/answer.js';
import { Badge } from '../../parts/badge.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';

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
            <ul>
              {ids.map((id) => (
                <Copy key={id} id={id} why={reasons.get(id) ?? 'a recall shows it instead of this one'} />
              ))}
            </ul>
          );
        }}
      </Answer>
    </section>
  );
}

function Copy({ id, why }: { id: string; why: string }) {
  const { onBehalf } = useActing();
  const found = useAsk('memory.get', { path: { id }, query: onBehalf });
  return (
    <li className="copy" data-row>
      <Answer of={found}>
        {({ memory }) => (
          <>
            <Link to="/memories/$id" params={{ id }}>
              <Text value={memory.content} limit={160} />
            </Link>
            <p className="small muted">
              <Badge>{memory.kind}</Badge> through {memory.origin.surface}, <Time at={memory.occurred_at} />, {why}
            </p>
          </>
        )}
      </Answer>
    </li>
  );
}
