import type { RecallResult } from './recall-settings.js';

type Parts = Omit<NonNullable<RecallResult['explain']>, 'copies'>;

interface Part {
  name: string;
  value: number;
  title: string;
}

function partsOf(parts: Parts): Part[] {
  const { lexical, dense, context, speaker, hint, time, recency, truth, pin, rerank, cosine } = parts;
  const angle = cosine === null ? 'no vector' : `cosine ${cosine.toFixed(3)}`;
  return [
    { name: 'words', value: lexical, title: 'Words of the query in the text' },
    { name: 'meaning', value: dense, title: `Closeness in meaning (${angle})` },
    {
      name: 'context',
      value: context + speaker + hint,
      title: `Its neighbours ${show(context)}, who speaks ${show(speaker)}, the kind of question ${show(hint)}`,
    },
    {
      name: 'time',
      value: time + recency,
      title: `The time that is asked about ${show(time)}, how recent it is ${show(recency)}`,
    },
    {
      name: 'trust',
      value: truth + pin,
      title: `Whether it is true and undisputed ${show(truth)}, pinned ${show(pin)}`,
    },
    ...(rerank === undefined ? [] : [{ name: 'reranker', value: rerank, title: 'What the reranker added' }]),
  ];
}

/** What each part added to the score, or took from it. All bars have the same scale. */
export function ScoreBars({ parts }: { parts: Parts }) {
  return (
    <dl className="bars">
      {partsOf(parts).map(({ name, value, title }) => (
        <div key={name} title={title} className={value === 0 ? 'bar-row zero' : 'bar-row'}>
          <dt>{name}</dt>
          <dd>
            <span className="bar-track" aria-hidden="true">
              <span
                className={value < 0 ? `bar ${name} negative` : `bar ${name}`}
                style={{ width: `${Math.min(100, Math.abs(value) * 100)}%` }}
              />
            </span>
            <span className="bar-value">{show(value)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function show(value: number): string {
  return value < 0 ? `−${Math.abs(value).toFixed(2)}` : value.toFixed(2);
}
