import type { Fact } from '@memhall/client/operations';
import { Link } from '@tanstack/react-router';
import { Badge, type Tone, TrustBadge } from '../../parts/badge.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { FactActions } from './fact-actions.js';
import './facts.css';

export const statusTones: Readonly<Record<Fact['status'], Tone>> = {
  current: 'ok',
  unconfirmed: 'warn',
  superseded: 'plain',
  ended: 'plain',
  retracted: 'danger',
};

/** `isNamed`: the row says whom the fact is about. */
export function FactRow({ fact, isNamed = false }: { fact: Fact; isNamed?: boolean }) {
  const { subject, attribute, value, status, trust, valid_from: from, valid_to: to, confidence, evidence } = fact;
  return (
    <li className="fact-row" data-row data-status={status}>
      <div className="fact-text">
        {isNamed && (
          <Link to="/subjects/$subject" params={{ subject }}>
            <Text value={subject} limit={80} />
          </Link>
        )}
        <span className="muted">
          <Text value={attribute} limit={100} />
        </span>
        <strong>
          <Text value={value} limit={400} />
        </strong>
      </div>
      <div className="fact-meta small muted">
        <Badge tone={statusTones[status]}>{status}</Badge>
        <TrustBadge trust={trust} />
        <span>
          since <Time at={from} />
          {to !== null && (
            <>
              {' '}
              until <Time at={to} />
            </>
          )}
        </span>
        {confidence < 1 && <span>{Math.round(confidence * 100)} % sure</span>}
        {evidence.slice(0, 3).map((id, index) => (
          <Link key={id} to="/memories/$id" params={{ id }}>
            evidence{evidence.length > 1 ? ` ${index + 1}` : ''}
          </Link>
        ))}
        {evidence.length > 3 && <span>and {evidence.length - 3} more</span>}
      </div>
      <FactActions fact={fact} />
    </li>
  );
}
