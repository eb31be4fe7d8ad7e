import { ShownMemory, type ShownMemoryOptions } from '../adapters/shown-memory.js';

export interface RecallBlockOptions extends ShownMemoryOptions {
  /** The conversation. Use one block for each. */
  sessionId: string;
}

interface BlockMessage {
  id: string;
  role: 'system' | 'user';
  content: string;
}

/** Creates a memory block of LlamaIndex that shows recalled memories before the conversation. It keeps nothing itself. */
export function recallBlock({ sessionId, ...options }: RecallBlockOptions) {
  const shown = new ShownMemory(options);
  return {
    id: 'memhall',
    /** Zero: always shown, first. */
    priority: 0,
    isLongTerm: false,
    async get(messages: readonly { role: string; content: unknown }[] = []): Promise<BlockMessage[]> {
      const turn = await shown.turnOf(sessionId, messages);
      if (turn === undefined) return [];
      const { system, reference } = turn;
      return [
        ...(system === '' ? [] : [{ id: 'memhall-rule', role: 'system' as const, content: system }]),
        ...(reference === undefined ? [] : [{ id: 'memhall-recalled', role: 'user' as const, content: reference }]),
      ];
    },
    async put(): Promise<void> {},
  };
}
