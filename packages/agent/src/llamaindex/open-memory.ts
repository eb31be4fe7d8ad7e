import { MemhallSession, type MemhallSessionOptions } from '../openai-agents/memhall-session.js';

/** What the adapter uses of a memory of LlamaIndex. */
interface LlamaMemory {
  add(message: unknown): Promise<void>;
  clear(): Promise<void>;
}

interface Stored {
  /** Resolves when all that was added is stored, or rejects with the first error. Agents of LlamaIndex do not wait for their memory. */
  stored(): Promise<void>;
}

/**
 * Fills a memory of LlamaIndex with what was said in a session before, and stores what is added to it from then on, in order. Each message is an
 * interaction of episodic memory, so recall finds it. `clear` deletes the session, too. Call `stored` after each run: a failure to store
 * does not reject `add`, because nobody would catch it.
 */
export async function openMemory<M extends LlamaMemory>(
  memory: M,
  { agentId = 'llamaindex', ...options }: MemhallSessionOptions,
): Promise<M & Stored> {
  const session = new MemhallSession({ ...options, agentId });
  const add = memory.add.bind(memory);
  const clear = memory.clear.bind(memory);
  for (const message of await session.getItems()) await add(message);
  let storing = Promise.resolve();
  let failures: unknown[] = [];
  const store = (work: () => Promise<void>) => {
    storing = storing.then(work).catch((error) => void failures.push(error));
    return storing;
  };
  return Object.assign(memory, {
    async add(message: unknown) {
      const copy = JSON.parse(JSON.stringify(message));
      const done = store(() => session.addItems([copy]));
      await add(message);
      await done;
    },
    async clear() {
      await clear();
      await store(() => session.clearSession());
    },
    async stored() {
      await storing;
      const [first] = failures;
      failures = [];
      if (first !== undefined) throw first;
    },
  });
}
