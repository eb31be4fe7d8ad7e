import { Type } from 'typebox';
import { Moment } from '../../http/wire-schemas.js';
import {
  maxNamespaceLength,
  namespaceKinds,
  namespacePattern,
  pluginCapabilities,
  pluginMemoryKinds,
  pluginMemorySources,
} from '../../ports/memory-plugin.js';

/** This surface ignores unknown fields. */

const NamespaceName = Type.String({ pattern: namespacePattern, minLength: 1, maxLength: maxNamespaceLength });
const Metadata = Type.Unsafe<{ [key: string]: unknown }>({ type: 'object' });
const Expiry = Type.Union([Moment, Type.Null()]);

export const namespaceParams = Type.Object({ name: NamespaceName });

export const namespaceBody = Type.Object({
  kind: Type.Enum([...namespaceKinds]),
  expires_at: Type.Optional(Expiry),
  metadata: Type.Optional(Type.Union([Metadata, Type.Null()])),
});

export const namespaceChange = Type.Object({
  expires_at: Type.Optional(Expiry),
  metadata: Type.Optional(Metadata),
});

export const Namespace = Type.Object(
  {
    name: Type.String(),
    kind: Type.String(),
    expires_at: Type.Optional(Type.String()),
    metadata: Type.Optional(Type.Unknown()),
    created_at: Type.String(),
  },
  { title: 'Namespace' },
);

const uuidPattern = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';
const MemoryKind = Type.Enum([...pluginMemoryKinds]);
const Embedding = Type.Array(Type.Number(), { minItems: 1, maxItems: 16_000 });

export const memoryBody = Type.Object({
  id: Type.Optional(Type.String({ pattern: uuidPattern, description: 'If given, replaces the memory with this id' })),
  content: Type.String({ pattern: '\\S' }),
  kind: MemoryKind,
  source: Type.Enum([...pluginMemorySources]),
  expires_at: Type.Optional(Expiry),
  propagation: Type.Optional(Type.Union([Metadata, Type.Null()], { description: 'Stored and returned unchanged' })),
  pin: Type.Optional(Type.Boolean()),
  embedding: Type.Optional(Embedding),
});

export const searchBody = Type.Object({
  namespaces: Type.Array(NamespaceName, { minItems: 1, maxItems: 1000 }),
  query: Type.Optional(
    Type.String({ maxLength: 20_000, description: 'Words, any of which may match, or the id of a memory' }),
  ),
  kinds: Type.Optional(Type.Array(MemoryKind)),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  embedding: Type.Optional(Embedding),
});

export const forgetParams = Type.Object({ id: Type.String({ pattern: uuidPattern }) });
export const forgetBody = Type.Object({ requested_by_namespace: NamespaceName });

export const PluginMemory = Type.Object(
  {
    id: Type.String(),
    namespace: Type.String(),
    content: Type.String(),
    kind: Type.String(),
    source: Type.String(),
    expires_at: Type.Optional(Type.String()),
    propagation: Type.Optional(Type.Unknown()),
    pin: Type.Optional(Type.Boolean()),
    created_at: Type.String(),
    score: Type.Optional(Type.Number()),
  },
  { title: 'Memory' },
);

export const Found = Type.Object({ memories: Type.Array(PluginMemory) }, { title: 'Found' });
export const Written = Type.Object({ id: Type.String(), namespace: Type.String() }, { title: 'Written' });

export const Health = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded']),
    version: Type.String(),
    capabilities: Type.Array(Type.Enum([...pluginCapabilities]), {
      description: 'Only capabilities that work right now',
    }),
  },
  { title: 'Health' },
);
