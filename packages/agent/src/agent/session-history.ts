import type { ModelMessage } from 'ai';
import { messageOf } from '../sessions/message-text.js';
import type { SessionEvent } from '../sessions/session-store.js';
import { shortenTurn, sizeOfTurn } from './shorten-turn.js';

export const runCompleted = 'run_completed';
export const runFailed = 'run_failed';

/** A turn that does not fit is shortened only if at least this share of the room is left. */
const worthShortening = 1 / 4;

/**
 * Returns the messages of the latest completed runs that fit. A run that is too long for the room that is left is
 * shortened to half of it, so that one large turn does not hide all others. A failed or interrupted run leaves a
 * question without an answer, and perhaps a tool call without a result, which models do not accept.
 */
export function toHistory(events: readonly SessionEvent[], maxCharacters: number): ModelMessage[] {
  let left = maxCharacters;
  const kept: ModelMessage[][] = [];
  for (const messages of completedRuns(events).reverse()) {
    const isWhole = sizeOfTurn(messages) <= left;
    if (!isWhole && left < maxCharacters * worthShortening) break;
    const shown = isWhole ? messages : shortenTurn(messages, Math.floor(left / 2));
    if (shown === undefined) break;
    left -= sizeOfTurn(shown);
    kept.unshift(shown);
  }
  return kept.flat();
}

function completedRuns(events: readonly SessionEvent[]): ModelMessage[][] {
  const completed = new Set(events.flatMap(({ type, run_id }) => (type === runCompleted ? [run_id] : [])));
  const runs = new Map<string, ModelMessage[]>();
  for (const event of events) {
    const message = messageOf(event);
    if (message === undefined || !completed.has(event.run_id)) continue;
    const run = runs.get(event.run_id);
    if (run === undefined) runs.set(event.run_id, [message]);
    else run.push(message);
  }
  return [...runs.values()];
}
