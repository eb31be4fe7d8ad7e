import type { MemoryConfiguration } from '../configuration/memory-configuration.js';
import { MemoryGatewayClient } from '../gateway/memory-gateway-client.js';
import type { CuratedMemory } from './curated-memory.js';
import { CuratedMemoryBackend } from './curated-memory-backend.js';
import { HybridMemoryBackend } from './hybrid-memory-backend.js';
import type { MemoryBackend } from './memory-backend.js';
import { MemoryGatewayBackend } from './memory-gateway-backend.js';

/** The one backend that a configuration asks for. */
export function createMemoryBackend(configuration: MemoryConfiguration, curated: CuratedMemory): MemoryBackend {
  if (configuration.mode === 'curated') return new CuratedMemoryBackend(curated);
  const { gateway, mode } = configuration;
  const { userId, scope } = gateway;
  const remote = new MemoryGatewayBackend({ client: new MemoryGatewayClient(gateway), userId, scope });
  return mode === 'hybrid' ? new HybridMemoryBackend([new CuratedMemoryBackend(curated), remote]) : remote;
}
