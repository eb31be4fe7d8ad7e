import type { Static } from 'typebox';
import type { PluginMemory, PluginNamespace } from '../../ports/memory-plugin.js';
import type { Namespace as NamespaceShape, PluginMemory as PluginMemoryShape } from './plugin-schemas.js';

export function toPluginMemory(memory: PluginMemory): Static<typeof PluginMemoryShape> {
  const { id, namespace, content, kind, source, expiresAt, propagation, isPinned, createdAt, score } = memory;
  return {
    ...{ id, namespace, content, kind, source },
    ...(expiresAt === null ? {} : { expires_at: expiresAt.toISOString() }),
    ...(propagation === null ? {} : { propagation }),
    ...(isPinned ? { pin: true } : {}),
    created_at: createdAt.toISOString(),
    ...(score === undefined ? {} : { score }),
  };
}

export function toNamespace(namespace: PluginNamespace): Static<typeof NamespaceShape> {
  const { name, kind, expiresAt, metadata, createdAt } = namespace;
  return {
    name,
    kind,
    ...(expiresAt === null ? {} : { expires_at: expiresAt.toISOString() }),
    ...(metadata === null ? {} : { metadata }),
    created_at: createdAt.toISOString(),
  };
}
