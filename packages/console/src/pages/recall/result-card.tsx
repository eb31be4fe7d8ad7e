import { Link } from '@tanstack/react-router';
import { Badge, TrustBadge } from '../../parts/badge.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import type { RecallResult } from './recall-settings.js';
import { ScoreBars } from './score-bars.js';

interface ResultCardProps {
  result: RecallResult;
  rank: number;
  /** Its rank with the other settings; null if these do not find it. Absent: nothing is compared. */
  otherRank?: number | null;
}

export function ResultCard({ result, rank, otherRank }: ResultCardProps) {
  const { id, text, kind, score, occurred_at: at, origin, trust, current, own, also, explain, note } = result;
  return (
    <li className={current ? 'result' : 'result past'} data-row>
      <div className="result-rank">
        <span className="rank">{rank}</span>
        <span className="score" title="Comparable only within one answer">
          {score.toFixed(3)}
        </span>
        {otherRank !== undefined && <Moved rank={rank} from={otherRank} />}
      </div>
      <div className="result-main">
        <Link to="/memories/$id" params={{ id }} className="result-text">
          <Text value={text} limit={400} />
        </Link>
        <div className="result-meta small muted">
          <Badge>{kind}</Badge>
          <TrustBadge trust={trust} />
          {!current && <Badge tone="warn">no longer true</Badge>}
          {!own && <Badge tone="accent">somebody else’s words</Badge>}
          <span>
            <Time at={at} />
          </span>
          <span>
            through {origin.surface}
            {origin.author !== '' && (
              <>
                {' '}
                by <Text value={origin.author} limit={80} />
              </>
            )}
          </span>
          {also !== undefined && also.length > 0 && (
            <span>
              {also.length} more {also.length === 1 ? 'copy' : 'copies'}
            </span>
          )}
        </div>
        {note !== undefined && (
          <p className="small result-note">
            <Text value={note} limit={300} />
          </p>
        )}
      </div>
      {explain !== undefined && <ScoreBars parts={explain} />}
    </li>
  );
}

function Moved({ rank, from }: { rank: number; from: number | null }) {
  if (from === null) return <Badge tone="accent">new</Badge>;
  if (from === rank) return <Badge>=</Badge>;
  return (
    <Badge tone={rank < from ? 'ok' : 'warn'} title={`With the other settings: ${from}`}>
      {rank < from ? '▲' : '▼'} {Math.abs(from - rank)}
    </Badge>
  );
}
