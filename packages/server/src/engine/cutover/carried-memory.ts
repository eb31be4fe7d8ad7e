import { createHash } from 'node:crypto';
import type { Json } from '@memhall/core';
import type { PluginMemoryKind, PluginMemorySource } from '../../ports/memory-plugin.js';

/**
 * A memory on its way out of one store and into another. With a scope it is in the form of the older store: it belongs to a
 * workspace, and `namespace` is no more than a label. Without one it is a plugin's, and `namespace` is where it lives.
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

/** The id of a memory that has none: always the same for the same memory, so that bringing it in twice is once. */
export function derivedId({ content, workspaceId, scope, namespace }: Omit<CarriedMemory, 'id'>): string {
  const place = scope === undefined ? ['', '', namespace ?? ''] : [workspaceId ?? '', scope, ''];
  const digest = createHash('sha256')
    .update(JSON.stringify([...place, content]))
    .digest('hex');
  // Version 8 is for ids of one's own making.
  const [a, b, c, d, e] = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(13, 16),
    digest.slice(17, 20),
    digest.slice(20, 32),
  ];
  return `${a}-${b}-8${c}-a${d}-${e}`;
}
