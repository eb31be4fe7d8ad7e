import type { Static } from 'typebox';
import type { Memory } from '../../ports/memories.js';
import type { Namespace } from '../../ports/namespaces.js';
import type { Namespace as NamespaceShape, PluginMemory } from './plugin-schemas.js';

export function toPluginMemory(memory: Memory, score?: number): Static<typeof PluginMemory> {
  return {
    id: memory.id,
    namespace: memory.partition.kind === 'namespace' ? memory.partition.name : '',
    content: memory.content,
    kind: memory.kind,
    source: memory.source ?? '',
    ...(memory.expiresAt === null ? {} : { expires_at: memory.expiresAt.toISOString() }),
    ...(memory.propagation === null ? {} : { propagation: memory.propagation }),
    ...(memory.isPinned ? { pin: true } : {}),
    created_at: memory.createdAt.toISOString(),
    ...(score === undefined ? {} : { score }),
  };
}

export function toNamespace({ name, kind, expiresAt, metadata, createdAt }: Namespace): Static<typeof NamespaceShape> {
  return {
    name,
    kind,
    ...(expiresAt === null ? {} : { expires_at: expiresAt.toISOString() }),
    ...(metadata === null ? {} : { metadata }),
    created_at: createdAt.toISOString(),
  };
}
