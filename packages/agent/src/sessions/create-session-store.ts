import { MemoryClient } from '@memhall/client';
import type { SessionsConfiguration } from '../configuration/sessions-configuration.js';
import { FileSessionStore } from './file-session-store.js';
import { ServerSessionStore } from './server/server-session-store.js';
import type { SessionStore } from './session-store.js';

/** Creates the configured store. Sessions on disk are stored in the directory. */
export function createSessionStore(configuration: SessionsConfiguration, directory: string): SessionStore {
  if (configuration.store === 'disk') return new FileSessionStore(directory);
  const { url, token, agentId, userId, timeoutMs } = configuration;
  const client = new MemoryClient({ baseUrl: url, token: () => token.reveal(), timeoutMs });
  return new ServerSessionStore({ client, agentId, ...(userId === undefined ? {} : { userId }) });
}
