import { ShownMemory, type ShownMemoryOptions } from '../adapters/shown-memory.js';
import type { SessionItem } from './stored-item.js';

export interface RecallFilterOptions extends ShownMemoryOptions {
  /** The conversation. Use one filter for each. */
  sessionId: string;
}

// biome-ignore-start lint/suspicious/noExplicitAny: the items of every version of the SDK
interface ModelInput {
  input: any[];
  instructions?: string;
}
// biome-ignore-end lint/suspicious/noExplicitAny: the items of every version of the SDK

/**
 * Creates a `callModelInputFilter` for runs of the OpenAI Agents SDK: shows recalled memories to the model before the conversation, and the
 * rule about them in the instructions. A MemhallSession does not store them; other sessions of the SDK do.
 */
export function recallFilter({ sessionId, ...options }: RecallFilterOptions) {
  const shown = new ShownMemory(options);
  return async ({ modelData }: { modelData: ModelInput }): Promise<ModelInput> => {
    const turn = await shown.turnOf(sessionId, modelData.input.map(toChatMessage));
    if (turn === undefined) return modelData;
    const { system, reference } = turn;
    const instructions = [modelData.instructions, system].filter((part) => part !== undefined && part !== '');
    return {
      ...modelData,
      instructions: instructions.join('\n\n'),
      input: [
        ...(reference === undefined ? [] : [{ type: 'message', role: 'user', content: reference }]),
        ...modelData.input,
      ],
    };
  };
}

/** The SDK calls the parts of a text `input_text` and `output_text`. */
function toChatMessage({ role = '', content }: SessionItem): { role: string; content: unknown } {
  if (!Array.isArray(content)) return { role, content };
  return { role, content: content.map((part) => (typeof part?.text === 'string' ? { ...part, type: 'text' } : part)) };
}
