import type { PluginMemory, PluginMemoryKind, PluginMemorySource } from '../../ports/memory-plugin.js';
import { firstStored } from '../plugin/legacy-origin.js';
import type { CarriedMemory } from './carried-memory.js';

type Shown = Pick<
  PluginMemory,
  'id' | 'namespace' | 'content' | 'kind' | 'source' | 'expiresAt' | 'propagation' | 'isPinned' | 'createdAt'
>;

/** Converts a plugin's memory for export. */
export function toCarried({
  id,
  content,
  namespace,
  kind,
  source,
  isPinned,
  expiresAt,
  propagation,
  createdAt,
}: Shown): CarriedMemory {
  return {
    ...{ id, content, namespace, createdAt: firstStored({ propagation, createdAt }) },
    kind: kind as PluginMemoryKind,
    source: source as PluginMemorySource,
    ...(isPinned ? { isPinned } : {}),
    ...(expiresAt === null ? {} : { expiresAt }),
    ...(propagation === null ? {} : { propagation }),
  };
}
