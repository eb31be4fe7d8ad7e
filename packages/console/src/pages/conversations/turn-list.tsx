import type { LearnedConversation } from '@memhall/client/operations';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../parts/badge.js';
import { LongText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { MadeList } from './made-list.js';
import { countOf, madeFrom, type Turn } from './turns.js';

/** Each turn with what was extracted from it. */
export function TurnList({ turns, learned }: { turns: readonly Turn[]; learned: LearnedConversation }) {
  return (
    <ol className="turns">
      {turns.map((turn) => {
        const made = madeFrom(learned, (ids) => ids.includes(turn.id));
        const count = countOf(made);
        return (
          <li key={turn.id} className={`turn ${turn.role}`} data-row>
            <header className="row small muted">
              <Badge tone={turn.role === 'user' ? 'ok' : 'plain'}>{turn.role}</Badge>
              {turn.at !== undefined && <Time at={turn.at} exact />}
              {turn.isMemory && (
                <Link to="/memories/$id" params={{ id: turn.id }}>
                  Memory
                </Link>
              )}
              {count === 0 && <span>nothing was extracted</span>}
            </header>
            <LongText value={turn.text} />
            {count > 0 && <MadeList made={made} />}
          </li>
        );
      })}
    </ol>
  );
}
