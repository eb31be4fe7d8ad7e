import type { Json } from '@memhall/core';
import { type Static, Type } from 'typebox';
import { type MemoryKind, memoryKinds } from '../../engine/memories/kinds.js';
import { Moment } from '../../http/wire-schemas.js';
import { trustLevels } from '../../ports/memory-origin.js';
import { maxNamespaceLength, namespacePattern, pluginMemoryKinds } from '../../ports/memory-plugin.js';

export const strict = { additionalProperties: false } as const;

export const Content = Type.String({
  minLength: 1,
  maxLength: 200_000,
  description:
    'The text to remember. It must make sense on its own months later: use full names, dates instead of "today", and one subject.',
});

export const WritableNamespace = Type.Optional(
  Type.String({
    pattern: namespacePattern,
    maxLength: maxNamespaceLength,
    description: 'Namespace to write to, taken from list_namespaces. Omit it to use your own workspace.',
  }),
);

export const Kind = Type.Enum([...pluginMemoryKinds]);

export const AnyKind = Type.Enum(Object.keys(memoryKinds) as MemoryKind[]);

export const MemoryId = Type.String({
  pattern: '^(plugin:)?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  description: 'The memory_id returned by search_memory or commit_memory.',
});

export const Expiry = Type.Unsafe<string>({
  ...Moment,
  description:
    'When the memory expires and is forgotten: RFC 3339 timestamp with a time zone, such as 2030-01-31T12:00:00Z.',
});

export const Propagation = Type.Unsafe<{ [member: string]: Json }>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'Any JSON object to keep with the memory and to return with it in searches, such as who should hear of it. It is not searched.',
    },
  ),
);

export const Committed = Type.Object({
  memory_id: Type.String(),
  namespace: Type.String(),
  expires_at: Type.Optional(Type.String()),
  redactions: Type.Integer({ description: 'Number of secrets that were replaced by [REDACTED:…] before storing' }),
});

const Origin = Type.Object({
  surface: Type.String(),
  author: Type.String({ description: 'Id of the user or service that wrote it; empty if it is not known' }),
  role: Type.Optional(Type.String()),
  namespace: Type.Optional(Type.String()),
  session_id: Type.Optional(Type.String()),
  document: Type.Optional(Type.Object({ namespace: Type.String(), path: Type.String(), pointer: Type.String() })),
  resource: Type.Optional(Type.Object({ resource_id: Type.String(), title: Type.Union([Type.String(), Type.Null()]) })),
  tier: Type.Optional(Type.Object({ owner: Type.String(), label: Type.String() })),
});

const FoundMemory = Type.Object({
  memory_id: Type.String(),
  namespace: Type.Optional(Type.String()),
  kind: Type.String(),
  content: Type.String(),
  from: Type.String({ description: 'Where it comes from, when, and who wrote it' }),
  own: Type.Boolean({ description: "Whether it is the user's own, and not somebody else's words" }),
  trust: Type.Enum([...trustLevels]),
  origin: Origin,
  occurred_at: Type.String(),
  created_at: Type.String(),
  expires_at: Type.Optional(Type.String()),
  pinned: Type.Optional(Type.Boolean()),
  propagation: Type.Optional(Propagation),
  current: Type.Optional(Type.Boolean({ description: 'False if it is no longer true; absent otherwise' })),
  note: Type.Optional(
    Type.String({ description: 'Since when it is no longer true and what took its place, or who contradicts it' }),
  ),
  score: Type.Optional(Type.Number()),
});
export type FoundMemory = Static<typeof FoundMemory>;

export const Found = Type.Object({
  memories: Type.Array(FoundMemory),
  omitted: Type.Optional(
    Type.Integer({
      description:
        'Number of further matches that did not fit into the response. Use a smaller limit or a more precise query.',
    }),
  ),
  incomplete: Type.Optional(
    Type.Boolean({
      description:
        'Something may be missing: the memory plugin did not answer, or the server has just started and matched words only. Try again later.',
    }),
  ),
});

export const Updated = Type.Object({
  memory_id: Type.String(),
  namespace: Type.Optional(Type.String()),
  kind: Type.String(),
  trust: Type.Enum([...trustLevels]),
  expires_at: Type.Optional(Type.String()),
  redactions: Type.Integer({ description: 'Number of secrets that were replaced by [REDACTED:…] before storing' }),
});

export const Namespaces = Type.Object({
  namespaces: Type.Array(Type.Object({ name: Type.String(), kind: Type.String(), writable: Type.Boolean() })),
});
