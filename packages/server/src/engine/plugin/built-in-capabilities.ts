import type { PluginCapability } from '../../ports/memory-plugin.js';

/** What the built-in plugin can do, with or without an embedder. */
export const builtInCapabilities: ReadonlySet<PluginCapability> = new Set(['fts', 'ttl', 'pin', 'propagation']);
