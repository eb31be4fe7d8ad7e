import type { Fact } from '@memhall/client/operations';
import { Link } from '@tanstack/react-router';
import { useActing, useAsk } from '../../api/api.js';
import { Answer } from '../../parts/answer.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { FactRow } from '../subjects/fact-row.js';

/** How much of a text is shown before and after the words that the fact comes from. */
const around = 200;

/** A fact that nobody confirmed, with the words that it comes from and what is believed now. */
export function FactItem({ fact }: { fact: Fact }) {
  const { onBehalf } = useActing();
  const { subject, attribute, evidence } = fact;
  const now = useAsk('facts.list', { path: {}, query: { subject, attribute, limit: 20, ...onBehalf } });
  const believed = now.data?.facts.filter(({ status }) => status === 'current') ?? [];
  return (
    <section className="card fact-item" aria-label={`Unconfirmed: ${fact.text.slice(0, 120)}`}>
      <ul>
        <FactRow fact={fact} isNamed />
      </ul>
      <dl className="card-body pairs">
        <dt>Said</dt>
        <dd>
          {evidence[0] === undefined ? (
            <span className="muted">nowhere: it was stated directly</span>
          ) : (
            <Said id={evidence[0]} value={fact.value} />
          )}
        </dd>
        <dt>Believed now</dt>
        <dd>
          {now.isSuccess && believed.length === 0 && 'nothing about it: it would be new'}
          {believed.map(({ id, value, trust, valid_from: from }) => (
            <p key={id}>
              <Text value={value} limit={300} />{' '}
              <span className="small muted">
                since <Time at={from} />, on the word of {trust}
              </span>
            </p>
          ))}
        </dd>
      </dl>
    </section>
  );
}

/** Shows the text that a fact was read from, with its value marked. */
function Said({ id, value }: { id: string; value: string }) {
  const { onBehalf } = useActing();
  const found = useAsk('memory.get', { path: { id }, query: onBehalf });
  return (
    <Answer of={found}>
      {({ memory: { content } }) => {
        const at = content.toLowerCase().indexOf(value.toLowerCase());
        const from = Math.max(0, at - around);
        const end = at === -1 ? 0 : at + value.length;
        return (
          <>
            {from > 0 && '…'}
            <Text value={content.slice(from, Math.max(0, at))} />
            {at !== -1 && (
              <mark className="evidence">
                <Text value={content.slice(at, end)} />
              </mark>
            )}
            <Text value={content.slice(end)} limit={around} />{' '}
            <Link to="/memories/$id" params={{ id }} className="small">
              Open
            </Link>
          </>
        );
      }}
    </Answer>
  );
}
