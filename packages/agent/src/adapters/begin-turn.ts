import { showNotes } from '../agent/build-context.js';
import type { MemoryAudit, MemoryBackend } from '../memory/memory-backend.js';
import { toRecallMessage } from '../memory/recall-message.js';

export interface TurnRequest {
  sessionId: string;
  prompt: string;
  /** Texts of earlier messages that the model sees. They are not recalled again. */
  shown?: readonly string[];
  /** Called with the outcome of every gateway call. Its rejections are passed on. */
  audit?: MemoryAudit;
  signal?: AbortSignal;
  /** Unix time in milliseconds. */
  now?: () => number;
}

/** The memory for one prompt, for use in a custom loop. */
export interface MemoryTurn {
  /** Text to add to the system prompt; may be empty. */
  readonly system: string;
  /** Show this as one user message before the history, and do not store it. Undefined if nothing was recalled. */
  readonly reference: string | undefined;
  /** Call this once with the final answer. Do not call it if there is no answer. */
  complete(answer: string): Promise<void>;
}

/** Recalls memories for a prompt and returns a turn that is remembered once it is completed. */
export async function beginTurn(memory: MemoryBackend, request: TurnRequest): Promise<MemoryTurn> {
  const { sessionId, prompt, audit = () => {}, shown = [], signal, now = Date.now } = request;
  const askedAt = now();
  const recall = { sessionId, prompt, audit, shown, ...(signal === undefined ? {} : { signal }) };
  const { rules, references, ...noted } = await memory.recallBeforeRun(recall);
  return {
    system: [...rules, ...showNotes(noted)].join('\n\n'),
    reference: toRecallMessage(references),
    async complete(answer) {
      const user = { content: prompt, at: askedAt };
      await memory.persistAfterRun({ sessionId, user, assistant: { content: answer, at: now() }, audit });
    },
  };
}
