import { type Static, Type } from 'typebox';
import { Moment } from '../../http/wire-schemas.js';
import { maxNamespaceLength, namespacePattern, pluginMemoryKinds } from '../../ports/memory-plugin.js';

export const strict = { additionalProperties: false } as const;

export const Content = Type.String({
  minLength: 1,
  maxLength: 200_000,
  description:
    'The text to remember. Write it so that it makes sense on its own, months later: full names, dates instead of "today", one subject.',
});

export const WritableNamespace = Type.Optional(
  Type.String({
    pattern: namespacePattern,
    maxLength: maxNamespaceLength,
    description: 'Where to write, one of list_writable_namespaces. Leave it out for your own workspace.',
  }),
);

export const Kind = Type.Enum([...pluginMemoryKinds]);

export const Expiry = Type.Unsafe<string>({
  ...Moment,
  description: 'RFC 3339 moment with a zone, such as 2030-01-31T12:00:00Z, from which on it is forgotten.',
});

export const Committed = Type.Object({
  memory_id: Type.String(),
  namespace: Type.String(),
  expires_at: Type.Optional(Type.String()),
  redactions: Type.Integer({ description: 'Secrets that were replaced by [REDACTED:…] before it was stored' }),
});

export const FoundMemory = Type.Object({
  memory_id: Type.String(),
  namespace: Type.String(),
  kind: Type.String(),
  content: Type.String(),
  created_at: Type.String(),
  expires_at: Type.Optional(Type.String()),
  pinned: Type.Optional(Type.Boolean()),
  score: Type.Optional(Type.Number()),
});
export type FoundMemory = Static<typeof FoundMemory>;

export const Found = Type.Object({
  memories: Type.Array(FoundMemory),
  omitted: Type.Optional(
    Type.Integer({ description: 'Found as well, but too long to be shown: ask for fewer, or more precisely' }),
  ),
});

export const Namespaces = Type.Object({
  namespaces: Type.Array(Type.Object({ name: Type.String(), kind: Type.String(), writable: Type.Boolean() })),
});
