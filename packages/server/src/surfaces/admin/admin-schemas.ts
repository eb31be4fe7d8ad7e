import { Type } from 'typebox';
import { Timestamp } from '../../http/wire-schemas.js';

const namespacePattern = '^[a-z]+:[A-Za-z0-9_:.\\-]+$';

export const exportQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'Page size. Absent: all memories in one response.' }),
    ),
    cursor: Type.Optional(Type.String({ maxLength: 4096, description: '`next_cursor` of the previous page' })),
    namespace: Type.Optional(
      Type.String({
        pattern: namespacePattern,
        maxLength: 256,
        description: 'Export only this namespace. Available after the cutover only.',
      }),
    ),
  },
  { additionalProperties: false },
);

const MemoryEntry = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        description:
          'UUID. If absent, it is derived from the other fields, so that importing an entry twice stores it once.',
      }),
    ),
    content: Type.String({ description: 'Secrets are redacted before it is stored' }),
    workspace_id: Type.Optional(Type.String({ description: 'With `scope`: the workspace that owns the memory' })),
    scope: Type.Optional(
      Type.String({ description: 'LOCAL, TEAM or GLOBAL. Present on entries in the format of the older store.' }),
    ),
    namespace: Type.Optional(
      Type.String({ description: 'Namespace in the plugin. With `scope`: the namespace label of the older store.' }),
    ),
    kind: Type.Optional(Type.String({ description: 'fact (default), summary, checkpoint' })),
    source: Type.Optional(Type.String({ description: 'agent (default), runtime, user' })),
    pin: Type.Optional(Type.Boolean()),
    expires_at: Type.Optional(Timestamp),
    propagation: Type.Optional(Type.Unknown()),
    created_at: Type.Optional(Timestamp),
  },
  { title: 'MemoryEntry', description: 'Other fields are ignored' },
);

export const ExportedMemories = Type.Object(
  {
    memories: Type.Array(MemoryEntry),
    next_cursor: Type.Optional(Type.String({ description: 'Only with `limit`. Absent on the last page.' })),
    truncated_namespaces: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Namespaces of an external plugin that have more memories than it allows to read',
      }),
    ),
  },
  { title: 'ExportedMemories' },
);

/**
 * A whole export, or only its list. Entries are checked one by one: a faulty entry is counted and the others are
 * stored.
 */
const entries = { type: 'array', maxItems: 10_000, items: { type: 'object' } };

export const importBody = Type.Unsafe<unknown[] | { memories: unknown[] }>({
  type: ['object', 'array'],
  if: { type: 'array' },
  // biome-ignore lint/suspicious/noThenProperty: `then` is a JSON Schema keyword
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
  { failures: Type.Optional(Type.Boolean({ description: 'Report the reason for each entry that was not stored' })) },
  { additionalProperties: false },
);

export const Imported = Type.Object(
  {
    imported: Type.Integer(),
    skipped: Type.Integer({ description: 'Already present and unchanged' }),
    errors: Type.Integer(),
    total: Type.Integer(),
    failures: Type.Optional(
      Type.Array(Type.Object({ index: Type.Integer(), reason: Type.String() }), {
        description: 'Only with `failures=true`',
      }),
    ),
  },
  { title: 'Imported' },
);
