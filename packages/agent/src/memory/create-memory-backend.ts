import type { MemoryConfiguration } from '../configuration/memory-configuration.js';
import type { CuratedMemory } from './curated-memory.js';
import { CuratedMemoryBackend } from './curated-memory-backend.js';
import { HybridMemoryBackend } from './hybrid-memory-backend.js';
import type { MemoryBackend } from './memory-backend.js';
import { MemoryGatewayBackend } from './memory-gateway-backend.js';

/** Creates the configured backend. */
export function createMemoryBackend(configuration: MemoryConfiguration, curated: CuratedMemory): MemoryBackend {
  if (configuration.mode === 'curated') return new CuratedMemoryBackend(curated);
  const remote = new MemoryGatewayBackend(configuration.gateway);
  if (configuration.mode === 'memory_gateway') return remote;
  return new HybridMemoryBackend([new CuratedMemoryBackend(curated), remote]);
}
