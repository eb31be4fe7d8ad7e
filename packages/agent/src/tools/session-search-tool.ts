import { tool } from 'ai';
import { z } from 'zod';
import type { SessionStore } from '../sessions/session-store.js';

const inputSchema = z.object({
  query: z.string().min(1).describe('Words to search for'),
  limit: z.number().int().min(1).max(20).optional().describe('Maximum number of matches; default 5'),
});

/** Creates the tool with which the model searches the messages of all sessions, except those of its current run. */
export function createSessionSearchTool(sessions: SessionStore, runId: string) {
  return tool({
    description: 'Searches, by words, what you and the user said in this and earlier sessions.',
    inputSchema,
    async execute({ query, limit = 5 }) {
      return { matches: await sessions.search({ text: query, limit, exceptRunId: runId }) };
    },
  });
}
