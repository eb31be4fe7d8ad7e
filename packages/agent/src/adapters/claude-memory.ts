import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory';
import type { MemoryCommand, MemoryToolClient } from '@memhall/client/memory-tool';

export interface ClaudeMemoryOptions {
  client: Pick<MemoryToolClient, 'run'>;
  /** The user that a service token acts for. */
  userId?: string;
  /** The agent whose files they are. Default: that of the token; without one, the files are the user's own. */
  agentId?: string;
}

/**
 * Returns what the memory tool of Anthropic's SDK needs to keep its files in Memhall.
 *
 * @example
 * const client = new MemoryToolClient({ baseUrl: 'http://127.0.0.1:8010', token });
 * const tools = [betaMemoryTool(claudeMemory({ client }))];
 * await anthropic.beta.messages.toolRunner({ model, max_tokens: 1024, messages, tools });
 */
export function claudeMemory({ client, userId, agentId }: ClaudeMemoryOptions): MemoryToolHandlers {
  const options = { ...(userId === undefined ? {} : { userId }), ...(agentId === undefined ? {} : { agentId }) };
  const run = async (command: MemoryCommand): Promise<string> => {
    const { content, is_error: isError } = await client.run(command, options);
    // The SDK puts `Error: ` in front of what is thrown.
    if (isError) throw new Error(content.replace(/^Error: /, ''));
    return content;
  };
  return { view: run, create: run, str_replace: run, insert: run, delete: run, rename: run };
}
