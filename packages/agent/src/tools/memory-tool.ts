import { tool } from 'ai';
import { z } from 'zod';
import {
  type CuratedChange,
  type CuratedMemory,
  CuratedMemoryRefusal,
  curatedFiles,
} from '../memory/curated-memory.js';

const inputSchema = z.object({
  action: z.enum(['add', 'replace', 'remove']),
  target: z.enum(['memory', 'user']).describe('memory: your own notes; user: facts about the user'),
  content: z.string().optional().describe('The new entry, for add and replace'),
  find: z.string().optional().describe('Text that occurs only in the entry to replace or remove'),
});

/**
 * Creates the tool with which the model writes curated memory. The snapshot it sees does not change until the next run.
 */
export function createMemoryTool(memory: CuratedMemory) {
  return tool({
    description:
      'Stores short notes for later conversations, in entries of one or two sentences. Note lasting facts and preferences, ' +
      'never secrets or temporary matters. Changes appear in your instructions from the next request on.',
    inputSchema,
    async execute({ action, target, content = '', find = '' }) {
      const change: CuratedChange = action === 'add' ? { action, content } : { action, find, content };
      try {
        return { file: curatedFiles[target], entries: await memory.change(target, change) };
      } catch (error) {
        if (error instanceof CuratedMemoryRefusal) return { refused: error.message };
        throw error;
      }
    },
  });
}
