import { createHash } from 'node:crypto';
import type { Json } from '@memhall/core';
import type { PluginMemoryKind, PluginMemorySource } from '../../ports/memory-plugin.js';

/**
 * A memory that is exported from one store and imported into another. With a scope it has the form of the older store:
 * it belongs to a workspace, and `namespace` is only a label. Without a scope it belongs to a plugin, and `namespace`
 * is where it is stored.
 */
export interface CarriedMemory {
  id: string;
  content: string;
  workspaceId?: string | undefined;
  scope?: string | undefined;
  namespace?: string | undefined;
  kind?: PluginMemoryKind | undefined;
  source?: PluginMemorySource | undefined;
  isPinned?: boolean | undefined;
  expiresAt?: Date | undefined;
  propagation?: Json | undefined;
  createdAt?: Date | undefined;
}

/**
 * Returns an id for a memory without one. It is always the same for the same memory, so that importing it twice stores
 * it once.
 */
export function derivedId({ content, workspaceId, scope, namespace }: Omit<CarriedMemory, 'id'>): string {
  const place = scope === undefined ? ['', '', namespace ?? ''] : [workspaceId ?? '', scope, ''];
  const digest = createHash('sha256')
    .update(JSON.stringify([...place, content]))
    .digest('hex');
  // UUID version 8 is for custom ids.
  const [a, b, c, d, e] = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(13, 16),
    digest.slice(17, 20),
    digest.slice(20, 32),
  ];
  return `${a}-${b}-8${c}-a${d}-${e}`;
}
