import { tool } from 'ai';
import { z } from 'zod';
import type { SessionStore } from '../sessions/session-store.js';

const inputSchema = z.object({
  query: z.string().min(1).describe('Words to look for'),
  limit: z.number().int().min(1).max(20).optional().describe('At most this many; 5 if not said'),
});

/** Lets the model search what was said in all sessions, but for the run it is in. */
export function createSessionSearchTool(sessions: SessionStore, runId: string) {
  return tool({
    description: 'Finds what you and the user said in this and earlier sessions, by words.',
    inputSchema,
    async execute({ query, limit = 5 }) {
      return { matches: await sessions.search({ text: query, limit, exceptRunId: runId }) };
    },
  });
}
