import type { ModelMessage } from 'ai';
import { messageOf } from '../sessions/message-text.js';
import type { SessionEvent } from '../sessions/session-store.js';

export const runCompleted = 'run_completed';
export const runFailed = 'run_failed';

/**
 * Returns the messages of the latest completed runs that fit, whole runs only. A failed or interrupted run leaves a
 * question without an answer, and perhaps a tool call without a result, which models do not accept.
 */
export function toHistory(events: readonly SessionEvent[], maxCharacters: number): ModelMessage[] {
  const completed = new Set(events.flatMap(({ type, run_id }) => (type === runCompleted ? [run_id] : [])));
  const runs = new Map<string, ModelMessage[]>();
  for (const event of events) {
    const message = messageOf(event);
    if (message === undefined || !completed.has(event.run_id)) continue;
    runs.set(event.run_id, [...(runs.get(event.run_id) ?? []), message]);
  }
  let left = maxCharacters;
  const kept: ModelMessage[][] = [];
  for (const messages of [...runs.values()].reverse()) {
    left -= JSON.stringify(messages).length;
    if (left < 0) break;
    kept.unshift(messages);
  }
  return kept.flat();
}
