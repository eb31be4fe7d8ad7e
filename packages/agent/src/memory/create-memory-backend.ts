import type { MemoryConfiguration } from '../configuration/memory-configuration.js';
import type { CuratedMemory } from './curated-memory.js';
import { CuratedMemoryBackend } from './curated-memory-backend.js';
import { HybridMemoryBackend } from './hybrid-memory-backend.js';
import type { MemoryBackend } from './memory-backend.js';
import { MemoryGatewayBackend } from './memory-gateway-backend.js';
import { OneMemoryBackend } from './one-memory-backend.js';

/** Creates the configured backend. */
export function createMemoryBackend(configuration: MemoryConfiguration, curated: CuratedMemory): MemoryBackend {
  if (configuration.mode === 'curated') return new CuratedMemoryBackend(curated);
  if (configuration.mode === 'one_memory') {
    return new OneMemoryBackend(configuration.server, { remembersTurns: !keepsSessionsThere(configuration) });
  }
  const remote = new MemoryGatewayBackend(configuration.gateway);
  if (configuration.mode === 'memory_gateway') return remote;
  return new HybridMemoryBackend([new CuratedMemoryBackend(curated), remote]);
}

/** Sessions in a server are memories of the user already. */
function keepsSessionsThere({ server, sessions }: Extract<MemoryConfiguration, { mode: 'one_memory' }>): boolean {
  return (
    sessions?.store === 'server' &&
    sessions.url === server.url &&
    sessions.userId === server.userId &&
    sessions.token.reveal() === server.token.reveal()
  );
}
