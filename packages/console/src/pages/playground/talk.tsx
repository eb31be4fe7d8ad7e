import { LongText, Text } from '../../parts/text.js';
import type { PlayedTurn } from './use-playground.js';

/** What was said, oldest first. */
export function Talk({ turns, isBusy }: { turns: readonly PlayedTurn[]; isBusy: boolean }) {
  if (turns.length === 0) {
    return (
      <p className="card-body muted">
        Tell it something, such as “I take my tea without milk.”, and ask for it: “What do I drink?”
      </p>
    );
  }
  return (
    <ol className="talk card-body" aria-live="polite">
      {turns.map(({ prompt, answer, model, failures }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns are only added at the end
        <li key={index} className="stack tight">
          <div className="said user">
            <LongText value={prompt} />
          </div>
          {answer !== undefined && (
            <div className="said assistant">
              <LongText value={answer} />
              <p className="small muted">
                <Text value={model ?? ''} limit={80} />
              </p>
            </div>
          )}
          {failures.map((failure) => (
            <p key={failure} role="alert" className="note danger">
              <Text value={failure} limit={600} />
            </p>
          ))}
          {answer === undefined && failures.length === 0 && isBusy && <p className="muted">Answering…</p>}
        </li>
      ))}
    </ol>
  );
}
