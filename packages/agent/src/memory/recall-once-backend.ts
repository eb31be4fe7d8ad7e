import { searchMemoryName } from '../tools/memory-search.js';
import type { CompletedTurn, MemoryBackend, RecalledMemory, RecallRequest } from './memory-backend.js';

/** Part of the system prompt, so that the model does not take what was recalled for all there is. */
export const searchRule =
  `What was recalled fits the first message of this conversation. Call the tool ${searchMemoryName} when an answer depends on ` +
  'something else that the user may have told earlier, before you say that you do not know.';

/** Sessions whose memories are held. The one that was begun first is recalled again when it goes on. */
const mostSessions = 1_000;

/**
 * Recalls at the first prompt of a session, shows the same memories in all its runs, and leaves the rest to the model and its
 * search tool. So the beginning of the prompt stays the same and can be cached. Turns are remembered as before. A recall that
 * failed, or that found nothing because the first prompt was only "Hello", is tried again at the next prompt.
 */
export class RecallOnceBackend implements MemoryBackend {
  readonly #memory: MemoryBackend;
  readonly #recalled = new Map<string, Promise<RecalledMemory>>();

  constructor(memory: MemoryBackend) {
    this.#memory = memory;
  }

  recallBeforeRun(request: RecallRequest): Promise<RecalledMemory> {
    const { sessionId } = request;
    const earlier = this.#recalled.get(sessionId);
    if (earlier !== undefined) return earlier;
    const forget = () => this.#recalled.delete(sessionId);
    const recalled = this.#recall(request, forget);
    this.#recalled.set(sessionId, recalled);
    recalled.catch(forget);
    const [oldest] = this.#recalled.keys();
    if (this.#recalled.size > mostSessions && oldest !== undefined) this.#recalled.delete(oldest);
    return recalled;
  }

  persistAfterRun(turn: CompletedTurn): Promise<void> {
    return this.#memory.persistAfterRun(turn);
  }

  async #recall(request: RecallRequest, forget: () => void): Promise<RecalledMemory> {
    let failed = false;
    const recalled = await this.#memory.recallBeforeRun({
      ...request,
      audit: async (event) => {
        failed ||= event.type.endsWith('_recall_failed');
        await request.audit(event);
      },
    });
    if (failed || recalled.references.length === 0) forget();
    return { ...recalled, rules: [...recalled.rules, searchRule] };
  }
}
