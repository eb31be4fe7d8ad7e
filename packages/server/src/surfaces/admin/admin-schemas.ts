import { Type } from 'typebox';
import { Timestamp } from '../../http/wire-schemas.js';

const namespacePattern = '^[a-z]+:[A-Za-z0-9_:.\\-]+$';

export const exportQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'One page of this many. Absent: all' }),
    ),
    cursor: Type.Optional(Type.String({ maxLength: 4096, description: 'next_cursor of the page before' })),
    namespace: Type.Optional(
      Type.String({ pattern: namespacePattern, maxLength: 256, description: 'Only this one; after the cutover' }),
    ),
  },
  { additionalProperties: false },
);

const MemoryEntry = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'UUID. Absent: made from the rest, so that twice is once' })),
    content: Type.String({ description: 'Secrets in it are replaced before it is stored' }),
    workspace_id: Type.Optional(Type.String({ description: 'With scope: whose it is' })),
    scope: Type.Optional(
      Type.String({ description: 'LOCAL, TEAM or GLOBAL: an entry in the form of the older store' }),
    ),
    namespace: Type.Optional(
      Type.String({ description: 'Where it lives in the plugin; with scope: the label the older store has for it' }),
    ),
    kind: Type.Optional(Type.String({ description: 'fact (default), summary, checkpoint' })),
    source: Type.Optional(Type.String({ description: 'agent (default), runtime, user' })),
    pin: Type.Optional(Type.Boolean()),
    expires_at: Type.Optional(Timestamp),
    propagation: Type.Optional(Type.Unknown()),
    created_at: Type.Optional(Timestamp),
  },
  { title: 'MemoryEntry', description: 'Further fields are ignored' },
);

export const ExportedMemories = Type.Object(
  {
    memories: Type.Array(MemoryEntry),
    next_cursor: Type.Optional(Type.String({ description: 'With limit: absent on the last page' })),
    truncated_namespaces: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of a plugin that is not the built-in one: these have more than it lets be read',
      }),
    ),
  },
  { title: 'ExportedMemories' },
);

/** An export as it is, or only its list. Entries are looked at one by one: a faulty one is counted, and no reason to refuse the others. */
const entries = { type: 'array', maxItems: 10_000, items: { type: 'object' } };

export const importBody = Type.Unsafe<unknown[] | { memories: unknown[] }>({
  type: ['object', 'array'],
  if: { type: 'array' },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
  then: entries,
  else: {
    type: 'object',
    required: ['memories'],
    additionalProperties: false,
    properties: {
      memories: entries,
      next_cursor: { type: 'string' },
      truncated_namespaces: { type: 'array', items: { type: 'string' } },
    },
  },
});

export const importQuery = Type.Object(
  { failures: Type.Optional(Type.Boolean({ description: 'Say of each entry that was not stored why' })) },
  { additionalProperties: false },
);

export const Imported = Type.Object(
  {
    imported: Type.Integer(),
    skipped: Type.Integer({ description: 'There already, unchanged' }),
    errors: Type.Integer(),
    total: Type.Integer(),
    failures: Type.Optional(
      Type.Array(Type.Object({ index: Type.Integer(), reason: Type.String() }), { description: 'When asked for' }),
    ),
  },
  { title: 'Imported' },
);
