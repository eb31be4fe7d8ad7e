import { parseMemoryConfiguration } from '../configuration/memory-configuration.js';
import type { RecallScope } from '../configuration/server-configuration.js';
import type { MemoryBackend } from './memory-backend.js';
import { OneMemoryBackend } from './one-memory-backend.js';

export interface ServerMemoryOptions {
  url: string;
  token: string;
  /** The user that a service token acts for. */
  userId?: string;
  /** Default: all three. */
  scopes?: readonly RecallScope[];
  /** Maximum number of memories per recall, 1 to 100. Default 8. */
  limit?: number;
  /** Default 10. */
  timeoutSeconds?: number;
  /** False if something else stores what is said in the same server, such as a session. Default true. */
  remembersTurns?: boolean;
}

/** Creates the memory of a user in a server: recalls whatever the user may read. Throws a StartUpError that lists what is wrong. */
export function serverMemory({ remembersTurns = true, ...server }: ServerMemoryOptions): MemoryBackend {
  const configuration = parseMemoryConfiguration({ mode: 'one_memory', server });
  if (configuration.mode !== 'one_memory') throw new TypeError('The configuration names no server.');
  return new OneMemoryBackend(configuration.server, { remembersTurns });
}
