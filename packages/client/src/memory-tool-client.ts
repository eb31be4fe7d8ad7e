import { ClientArea, type UserOptions, userOf } from './client-area.js';
import { filesOfAgentsRoutes, type Operations } from './generated/operations.js';
import type { ClientOptions } from './transport.js';

/** The input that a model gives the tool `memory_20250818`. */
export type MemoryCommand = Omit<Operations['files.run']['body'], 'user_id' | 'agent_id'>;
/** What to return to the model. */
export type MemoryToolResult = Operations['files.run']['answer'];

export interface MemoryToolOptions extends UserOptions {
  /** The agent whose files they are. Default: that of the token; without one, the files are the user's own. */
  agentId?: string;
}

/**
 * Client for files that a model keeps as its memory.
 *
 * @example
 * const files = new MemoryToolClient({ baseUrl: 'http://127.0.0.1:8010', token });
 * const { content, is_error } = await files.run({ command: 'view', path: '/memories' });
 */
export class MemoryToolClient extends ClientArea {
  constructor(options: ClientOptions) {
    super(options, filesOfAgentsRoutes);
  }

  /** Carries out one command. What the model did wrong is a result too, with `is_error`. */
  run(command: MemoryCommand, options: MemoryToolOptions = {}): Promise<MemoryToolResult> {
    const agent = options.agentId === undefined ? {} : { agent_id: options.agentId };
    return this.answer('files.run', { path: {}, body: { ...command, ...agent, ...userOf(options) } }, options);
  }
}
