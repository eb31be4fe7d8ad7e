import { ShownMemory, type ShownMemoryOptions } from '../adapters/shown-memory.js';

/** Options for `agent.generate` and `agent.stream`. Mastra does not store them with the thread. */
export interface RecalledContext {
  context: { role: 'user'; content: string }[];
  system?: string;
}

/** Creates a function that returns what an agent of Mastra should know for a prompt in a thread. */
export function recallContext(options: ShownMemoryOptions) {
  const shown = new ShownMemory(options);
  return async (threadId: string, prompt: string): Promise<RecalledContext> => {
    const turn = await shown.turnOf(threadId, [{ role: 'user', content: prompt }]);
    if (turn === undefined) return { context: [] };
    return {
      context: turn.reference === undefined ? [] : [{ role: 'user', content: turn.reference }],
      ...(turn.system === '' ? {} : { system: turn.system }),
    };
  };
}
