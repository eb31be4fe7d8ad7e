import { type Static, Type } from 'typebox';
import { Id, Moment, nextCursor, Timestamp } from '../../http/wire-schemas.js';
import { userParams } from './shared-schemas.js';

const closed = { additionalProperties: false };

export const ConversationId = Type.String({ pattern: '^[A-Za-z0-9._:@-]{1,256}$' });
export const MessageRole = Type.Enum(['user', 'assistant', 'system', 'tool']);

const Part = Type.Object(
  {
    type: Type.String({ minLength: 1, maxLength: 128, description: 'Must be text. Other types are rejected.' }),
    text: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);
const Message = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 256 }),
    role: MessageRole,
    content: Type.Union([Type.String(), Type.Array(Part, { minItems: 1, maxItems: 10_000 })], {
      description: 'A text, or parts of type text, which are stored as one text with a line feed between them',
    }),
    timestamp: Type.Optional(Moment),
  },
  closed,
);

export const snapshotParams = Type.Object({ ...userParams, conversation_id: ConversationId });
export const snapshotBody = Type.Object(
  {
    messages: Type.Array(Message, { minItems: 1, maxItems: 10_000, description: 'In chronological order' }),
    profile_id: Id,
    replay: Type.Boolean({ default: true, description: 'Whether to extract facts worth remembering' }),
  },
  closed,
);
export type SnapshotBody = Static<typeof snapshotBody>;

export const SnapshotTaken = Type.Object(
  { snapshot_id: Type.String(), snapshot_uri: Type.String(), replay_id: Type.Union([Type.String(), Type.Null()]) },
  { title: 'SnapshotTaken' },
);

const summary = {
  snapshot_id: Type.String(),
  conversation_id: Type.String(),
  snapshot_uri: Type.String(),
  created_at: Timestamp,
};
export const SnapshotList = Type.Object({
  snapshots: Type.Array(
    Type.Object(
      { ...summary, encrypted_bytes: Type.Integer({ description: 'Size of the encrypted content' }) },
      { title: 'SnapshotSummary' },
    ),
  ),
  next_cursor: nextCursor,
});
export const Snapshot = Type.Object(
  {
    ...summary,
    profile_id: Type.String(),
    messages: Type.Array(
      Type.Object({
        id: Type.String(),
        role: MessageRole,
        content: Type.String(),
        timestamp: Type.Optional(Type.String()),
      }),
    ),
  },
  { title: 'Snapshot' },
);
