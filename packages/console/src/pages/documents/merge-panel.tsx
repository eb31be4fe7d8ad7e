import { useMemo, useState } from 'react';
import type { Json, JsonObject } from '../../parts/json-value.js';
import { toPointer, toText } from '../../parts/json-value.js';
import { LineDifference } from '../../parts/line-difference.js';
import { Text } from '../../parts/text.js';
import { type Conflict, mergeJson, withValue } from './merge-json.js';

interface MergePanelProps {
  base: JsonObject;
  /** Undefined while what the person types is no JSON. */
  mine: JsonObject | undefined;
  theirs: JsonObject;
  /** The content to go on with, made for what is there now. */
  onDecided(content: JsonObject): void;
}

/** Three views of a document that somebody else changed meanwhile: as it was opened, as it is now, and as the person has it. */
export function MergePanel({ base, mine, theirs, onDecided }: MergePanelProps) {
  const merged = useMemo(() => (mine === undefined ? undefined : mergeJson(base, mine, theirs)), [base, mine, theirs]);
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const conflicts = merged?.conflicts ?? [];
  const merge = () => {
    const value = conflicts
      .filter(({ place }) => taken.has(toPointer(place)))
      .reduce((all, { place, theirs: other }) => withValue(all, place, other), merged?.value);
    onDecided(value as JsonObject);
  };
  const take = (pointer: string, isTheirs: boolean) =>
    setTaken((all) => {
      const next = new Set(all);
      if (isTheirs) next.add(pointer);
      else next.delete(pointer);
      return next;
    });
  return (
    <section className="card merge" aria-label="Somebody else wrote meanwhile">
      <header className="card-head">
        <h2>Somebody else wrote meanwhile</h2>
        <span className="small muted">Nothing of yours is lost. Decide, then save.</span>
      </header>
      <div className="card-body stack">
        <div className="three-views">
          <View title="As you opened it">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
            <pre className="view-text" tabIndex={0}>
              <Text value={toText(base)} limit={20_000} />
            </pre>
          </View>
          <View title="What they changed">
            <LineDifference before={toText(base)} after={toText(theirs)} label="What they changed" />
          </View>
          <View title="What you changed">
            {mine === undefined ? (
              <p className="note warn">What you typed is no JSON yet.</p>
            ) : (
              <LineDifference before={toText(base)} after={toText(mine)} label="What you changed" />
            )}
          </View>
        </div>
        {conflicts.map((conflict) => (
          <ConflictChoice
            key={toPointer(conflict.place)}
            conflict={conflict}
            isTheirs={taken.has(toPointer(conflict.place))}
            onChoose={(isTheirs) => take(toPointer(conflict.place), isTheirs)}
          />
        ))}
        {merged !== undefined && conflicts.length === 0 && (
          <p className="note ok">You changed different places, so both changes fit together.</p>
        )}
        <div className="row">
          <button type="button" className="button primary" disabled={merged === undefined} onClick={merge}>
            Merge both
          </button>
          <button
            type="button"
            className="button"
            disabled={mine === undefined}
            onClick={() => mine !== undefined && onDecided(mine)}
          >
            Keep only mine
          </button>
          <button type="button" className="button" onClick={() => onDecided(theirs)}>
            Take theirs, drop mine
          </button>
        </div>
      </div>
    </section>
  );
}

function View({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="stack tight">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

interface ConflictChoiceProps {
  conflict: Conflict;
  isTheirs: boolean;
  onChoose(isTheirs: boolean): void;
}

function ConflictChoice({ conflict: { place, base, mine, theirs }, isTheirs, onChoose }: ConflictChoiceProps) {
  const name = `conflict ${toPointer(place)}`;
  return (
    <fieldset className="conflict">
      <legend className="label">
        Both changed <code>{place.join(' › ') || 'the content'}</code>
      </legend>
      <p className="small muted">
        Before: <Value value={base} />
      </p>
      <label className="check">
        <input type="radio" name={name} checked={!isTheirs} onChange={() => onChoose(false)} />
        <span>
          Yours: <Value value={mine} />
        </span>
      </label>
      <label className="check">
        <input type="radio" name={name} checked={isTheirs} onChange={() => onChoose(true)} />
        <span>
          Theirs: <Value value={theirs} />
        </span>
      </label>
    </fieldset>
  );
}

function Value({ value }: { value: Json | undefined }) {
  if (value === undefined) return <em>nothing</em>;
  return (
    <code>
      <Text value={JSON.stringify(value)} limit={600} />
    </code>
  );
}
