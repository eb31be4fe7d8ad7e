import { Problem } from '@memhall/core';
import type { PluginCapability } from '../../ports/memory-plugin.js';

/** What computes the vectors of a plugin's memories. `auto`: the host, if the plugin cannot find memories otherwise. */
export type VectorSource = 'auto' | 'plugin' | 'host';

/** `required`: without a vector, the plugin would not find the memory. `useful`: it would find it by its words. */
type VectorNeed = 'none' | 'useful' | 'required';

/** Returns whether the plugin must be sent vectors with texts and queries. */
export function vectorNeed(
  source: VectorSource,
  capabilities: { has(capability: PluginCapability): boolean },
): VectorNeed {
  if (source === 'plugin' || !capabilities.has('embedding')) return 'none';
  if (!capabilities.has('fts')) return 'required';
  return source === 'host' ? 'useful' : 'none';
}

export const embedderMissing =
  'The memory plugin in use finds memories only by vectors, and no embedder is configured: set MEMHALL_EMBEDDER, or use a plugin with the capability fts.';

export function noEmbedder(): Problem {
  return new Problem('UNAVAILABLE', embedderMissing);
}

export function embedderFails(cause: unknown): Problem {
  const message = 'The embedder failed, and the memory plugin in use finds memories only by vectors. Try again later.';
  return new Problem('UNAVAILABLE', message, { cause });
}
