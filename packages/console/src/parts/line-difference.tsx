import { diffLines } from 'diff';
import { useMemo } from 'react';
import { Text } from './text.js';

interface Line {
  kind: 'same' | 'removed' | 'added' | 'skipped';
  text: string;
}

/** Unchanged lines that are shown before and after a change. */
const around = 3;
const mostLines = 3000;
const longestMs = 1000;
const marks = { same: ' ', removed: '−', added: '+', skipped: '' } as const;
const words = { removed: 'Removed: ', added: 'Added: ' } as const;

/** Shows what changed between two texts, line by line. Long stretches without a change are left out. */
export function LineDifference({ before, after, label }: { before: string; after: string; label: string }) {
  const lines = useMemo(() => compare(before, after), [before, after]);
  if (lines === undefined) return <p className="note">They differ too much to be compared line by line.</p>;
  if (lines.every(({ kind }) => kind === 'same' || kind === 'skipped')) return <p className="muted">No difference.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="line-difference" aria-label={label} tabIndex={0}>
      {lines.slice(0, mostLines).map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <div key={index} className={`line ${kind}`}>
          <span aria-hidden="true">{marks[kind]}</span>
          <span>
            {(kind === 'removed' || kind === 'added') && <span className="visually-hidden">{words[kind]}</span>}
            <Text value={text} limit={2000} />
          </span>
        </div>
      ))}
      {lines.length > mostLines && <p className="muted">And {lines.length - mostLines} more lines.</p>}
    </section>
  );
}

function compare(before: string, after: string): Line[] | undefined {
  const parts = diffLines(before, after, { timeout: longestMs });
  return parts?.flatMap(({ value, added, removed }, index): Line[] => {
    const texts = value.replace(/\n$/, '').split('\n');
    if (added) return texts.map((text) => ({ kind: 'added', text }));
    if (removed) return texts.map((text) => ({ kind: 'removed', text }));
    return shorten(texts, index === 0, index === parts.length - 1);
  });
}

function shorten(texts: readonly string[], isFirst: boolean, isLast: boolean): Line[] {
  const same = (all: readonly string[]) => all.map((text): Line => ({ kind: 'same', text }));
  const head = isFirst ? 0 : around;
  const tail = isLast ? 0 : around;
  const left = texts.length - head - tail;
  if (left <= 1) return same(texts);
  const skipped: Line = { kind: 'skipped', text: `${left} unchanged lines` };
  return [...same(texts.slice(0, head)), skipped, ...same(texts.slice(texts.length - tail))];
}
