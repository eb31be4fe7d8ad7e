import { showSnapshot } from '../agent/build-context.js';
import type { MemoryAudit, MemoryBackend } from '../memory/memory-backend.js';
import { toRecallMessage } from '../memory/recall-message.js';

export interface TurnRequest {
  sessionId: string;
  prompt: string;
  /** Told what became of calls to a gateway. What it rejects with is passed on. */
  audit?: MemoryAudit;
  signal?: AbortSignal;
  /** Unix time in milliseconds. */
  now?: () => number;
}

/** What memory has to say to one prompt, for a loop of your own. */
export interface MemoryTurn {
  /** To be added to the system prompt; may be empty. */
  readonly system: string;
  /** To be shown as one user message before the history, and not kept; undefined when nothing was recalled. */
  readonly reference: string | undefined;
  /** Call it once with the final answer, and not at all if there is none. */
  complete(answer: string): Promise<void>;
}

/** Recalls what a prompt brings to mind, and remembers the turn when it is complete. */
export async function beginTurn(memory: MemoryBackend, request: TurnRequest): Promise<MemoryTurn> {
  const { sessionId, prompt, audit = () => {}, signal, now = Date.now } = request;
  const askedAt = now();
  const recall = { sessionId, prompt, audit, ...(signal === undefined ? {} : { signal }) };
  const { rules, snapshot, references } = await memory.recallBeforeRun(recall);
  return {
    system: [...rules, ...showSnapshot(snapshot)].join('\n\n'),
    reference: toRecallMessage(references),
    async complete(answer) {
      const user = { content: prompt, at: askedAt };
      await memory.persistAfterRun({ sessionId, user, assistant: { content: answer, at: now() }, audit });
    },
  };
}
