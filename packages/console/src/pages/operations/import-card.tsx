import { useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useId, useRef, useState } from 'react';
import { askAgain, useActing, useApi } from '../../api/api.js';
import { ErrorNote } from '../../parts/error-note.js';
import { Progress } from '../../parts/progress.js';
import { Text } from '../../parts/text.js';
import { type ImportFile, readImport } from './read-import.js';

/** Few enough for progress that moves, many enough to be fast. */
const atOnce = 50;
const shownFaults = 20;

interface Run {
  state: 'running' | 'done' | 'stopped';
  done: number;
}

/** Brings memories and facts in with the calls that any client has, so that they are checked, redacted and recorded as usual. */
export function ImportCard() {
  const { operations } = useApi();
  const { userId, onBehalf } = useActing();
  const queries = useQueryClient();
  const id = useId();
  const [file, setFile] = useState<ImportFile>();
  const [run, setRun] = useState<Run>();
  const [error, setError] = useState<unknown>();
  const stopping = useRef<AbortController>(null);
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.target.files ?? [];
    setRun(undefined);
    setError(undefined);
    setFile(chosen && readImport(await chosen.text()));
  };
  const total = file === undefined ? 0 : file.memories.length + file.facts.length;
  const start = async ({ memories, facts }: ImportFile) => {
    stopping.current = new AbortController();
    const { signal } = stopping.current;
    let done = 0;
    const advance = (count: number) => {
      done += count;
      setRun({ state: 'running', done });
    };
    advance(0);
    setError(undefined);
    try {
      for (let from = 0; from < memories.length; from += atOnce) {
        const some = memories.slice(from, from + atOnce);
        await operations.call('memory.remember', { path: {}, body: { memories: some, ...onBehalf } }, { signal });
        advance(some.length);
      }
      for (const fact of facts) {
        await operations.call('facts.put', { path: {}, body: { ...fact, ...onBehalf } }, { signal });
        advance(1);
      }
      setRun({ state: 'done', done });
    } catch (caught) {
      setRun({ state: 'stopped', done });
      if (!signal.aborted) setError(caught);
    } finally {
      void askAgain(queries);
    }
  };
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <header className="card-head">
        <h2 id={`${id}-title`}>Import</h2>
      </header>
      <div className="card-body stack">
        <p className="muted">
          JSON Lines: an export in that format, or one object with <code>content</code> per line. Importing a file twice
          stores each memory once.
        </p>
        <div className="field">
          <label htmlFor={`${id}-file`}>File</label>
          <input id={`${id}-file`} type="file" accept=".jsonl,.ndjson,.json,application/jsonl" onChange={choose} />
        </div>
        {file !== undefined && (
          <>
            <p role="status">
              {file.memories.length.toLocaleString('en')} memories and {file.facts.length.toLocaleString('en')} facts
              would be stored for {userId}
              {file.others > 0 &&
                `; ${file.others.toLocaleString('en')} lines are documents, files or derived, and stay out`}
              .
            </p>
            <Faults faults={file.faults} />
            <div className="row">
              <button
                type="button"
                className="button primary"
                disabled={total === 0 || run?.state === 'running'}
                onClick={() => void start(file)}
              >
                Import {total.toLocaleString('en')}
              </button>
              {run?.state === 'running' && (
                <button type="button" className="button" onClick={() => stopping.current?.abort()}>
                  Stop
                </button>
              )}
            </div>
          </>
        )}
        {error !== undefined && <ErrorNote error={error} />}
        {run !== undefined && (
          <div className="stack tight" role="status">
            <Progress label="Import" done={run.done} total={total} />
            <p className="small">
              {run.done.toLocaleString('en')} of {total.toLocaleString('en')} stored
              {run.state === 'stopped' && '. Import the file again to continue: what is stored stays as it is'}.
            </p>
          </div>
        )}
      </div>
    </section>
  );
}

function Faults({ faults }: Pick<ImportFile, 'faults'>) {
  if (faults.length === 0) return null;
  return (
    <div className="note warn">
      <p>{faults.length === 1 ? '1 line' : `${faults.length.toLocaleString('en')} lines`} cannot be used:</p>
      <ul className="small">
        {faults.slice(0, shownFaults).map(({ line, reason }) => (
          <li key={line}>
            Line {line}: <Text value={reason} />
          </li>
        ))}
      </ul>
    </div>
  );
}
