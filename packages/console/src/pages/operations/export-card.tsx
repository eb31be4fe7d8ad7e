import { useId, useRef, useState } from 'react';
import { useActing, useApi } from '../../api/api.js';
import { ErrorNote } from '../../parts/error-note.js';
import { Progress } from '../../parts/progress.js';

type Format = 'jsonl' | 'markdown';

interface Run {
  state: 'running' | 'done' | 'stopped';
  bytes: number;
  lines: number;
  /** Of the file, once it is complete. */
  url?: string;
  name: string;
}

/** Exports what the user owns, as it arrives. An export that breaks off is never offered as a file. */
export function ExportCard() {
  const { operations } = useApi();
  const { userId, onBehalf } = useActing();
  const id = useId();
  const [format, setFormat] = useState<Format>('jsonl');
  const [run, setRun] = useState<Run>();
  const [error, setError] = useState<unknown>();
  const stopping = useRef<AbortController>(null);
  const start = async () => {
    if (run?.url !== undefined) URL.revokeObjectURL(run.url);
    stopping.current = new AbortController();
    const { signal } = stopping.current;
    const name = `memory-of-${userId}.${format === 'jsonl' ? 'jsonl' : 'md'}`;
    const chunks: string[] = [];
    let now: Run = { state: 'running', bytes: 0, lines: 0, name };
    setRun(now);
    setError(undefined);
    try {
      const answer = operations.streamText('memory.export', { path: {}, query: { format, ...onBehalf } }, { signal });
      for await (const chunk of answer) {
        chunks.push(chunk);
        now = { ...now, bytes: now.bytes + chunk.length, lines: now.lines + countLines(chunk) };
        setRun(now);
      }
      setRun({ ...now, state: 'done', url: URL.createObjectURL(new Blob(chunks)) });
    } catch (caught) {
      setRun({ ...now, state: 'stopped' });
      if (!signal.aborted) setError(caught);
    }
  };
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <header className="card-head">
        <h2 id={`${id}-title`}>Export</h2>
      </header>
      <div className="card-body stack">
        <p className="muted">
          Memories, facts, documents and the list of files of {userId}. Quarantined texts and the words of others are
          not part of it.
        </p>
        <fieldset className="row">
          <legend className="visually-hidden">Format</legend>
          {(['jsonl', 'markdown'] as const).map((one) => (
            <label key={one} className="check">
              <input type="radio" name="format" checked={format === one} onChange={() => setFormat(one)} />
              {one === 'jsonl' ? 'JSON Lines, for programs' : 'Markdown, to read'}
            </label>
          ))}
        </fieldset>
        <div className="row">
          <button type="button" className="button primary" disabled={run?.state === 'running'} onClick={start}>
            Export
          </button>
          {run?.state === 'running' && (
            <button type="button" className="button" onClick={() => stopping.current?.abort()}>
              Stop
            </button>
          )}
          {run?.url !== undefined && (
            <a className="button" href={run.url} download={run.name}>
              Save {run.name}
            </a>
          )}
        </div>
        {error !== undefined && <ErrorNote error={error} />}
        {run !== undefined && (
          <div className="stack tight" role="status">
            {run.state === 'running' && <Progress label="Export" done={0} />}
            <p className="small">
              {say[run.state]} {run.lines.toLocaleString('en')} lines, {(run.bytes / 1024).toFixed(0)} kB.
            </p>
          </div>
        )}
      </div>
    </section>
  );
}

const say = { running: 'Arrived so far:', done: 'Complete:', stopped: 'Stopped, so there is no file:' };

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
