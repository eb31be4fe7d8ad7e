import type { MemoryBackend } from '../memory/memory-backend.js';
import { RecallOnceBackend } from '../memory/recall-once-backend.js';
import { beginTurn, type MemoryTurn, type TurnRequest } from './begin-turn.js';
import { type ChatMessage, contentText, spokenTexts } from './remember-messages.js';

export interface ShownMemoryOptions extends Pick<TurnRequest, 'audit' | 'now'> {
  memory: MemoryBackend;
  /**
   * `once`, the default: at the first prompt of a session for which something is found; give the model the tool of `memorySearch`
   * for the rest. `every_prompt`: for each prompt.
   */
  recall?: 'once' | 'every_prompt';
}

/** Sessions whose current prompt is known. */
const mostSessions = 1_000;

/** Finds out what to show to a model in each call of a conversation. All calls of a tool loop see the same. */
export class ShownMemory {
  readonly #memory: MemoryBackend;
  readonly #options: Pick<TurnRequest, 'audit' | 'now'>;
  readonly #turns = new Map<string, { key: string; begun: Promise<MemoryTurn> }>();

  constructor({ memory, recall = 'once', ...options }: ShownMemoryOptions) {
    this.#memory = recall === 'once' ? new RecallOnceBackend(memory) : memory;
    this.#options = options;
  }

  /** Returns undefined if the messages contain no text of a user. */
  turnOf(sessionId: string, messages: readonly ChatMessage[]): Promise<MemoryTurn> | undefined {
    const position = messages.findLastIndex(({ role }) => role === 'user');
    const prompt = contentText(messages[position]?.content);
    if (prompt.trim() === '') return undefined;
    const key = `${position} ${prompt}`;
    const current = this.#turns.get(sessionId);
    if (current?.key === key) return current.begun;
    const shown = spokenTexts(messages.slice(0, position));
    const begun = beginTurn(this.#memory, { ...this.#options, sessionId, prompt, shown });
    const turn = { key, begun };
    this.#turns.delete(sessionId);
    this.#turns.set(sessionId, turn);
    begun.catch(() => this.#turns.get(sessionId) === turn && this.#turns.delete(sessionId));
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > mostSessions && oldest !== undefined) this.#turns.delete(oldest);
    return begun;
  }
}
