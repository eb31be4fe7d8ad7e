import { idPattern } from '@memhall/core';
import { type Static, Type } from 'typebox';
import { memoryLimits } from '../../engine/memories/memory-input.js';
import { recallScopes } from '../../engine/one-memory/recall-in-scopes.js';
import { offTheRecordField } from '../../http/off-the-record.js';
import { Id, incomplete, Moment, Timestamp } from '../../http/wire-schemas.js';

const closed = { additionalProperties: false };
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

const SessionId = Type.String({
  pattern: '^[A-Za-z0-9._:@-]{1,256}$',
  description: 'Such as chat:{conversation_id}',
});
const Milliseconds = Type.Integer({
  exclusiveMinimum: 0,
  maximum: lastMoment,
  description: 'Milliseconds since 1970-01-01 UTC',
});
const Role = Type.Enum(['user', 'assistant', 'tool']);

/**
 * The key identifies the tenant and user. Malformed ids and keys are not rejected here, so that they fail like wrong
 * ones.
 */
export const identityFields = {
  user_id: Type.String({ maxLength: 1024 }),
  user_key: Type.String({ maxLength: 1024, description: 'Key returned by POST /users' }),
};

export const placeFields = {
  app_id: Type.String({ pattern: idPattern, default: 'default' }),
  project_id: Type.String({ pattern: idPattern, default: 'default' }),
};

export const userBody = Type.Object(
  {
    user_id: Id,
    rotate: Type.Boolean({ default: false, description: 'Replace the current key with a new one' }),
  },
  closed,
);

export const User = Type.Object({
  user_id: Type.String(),
  user_key: Type.Optional(
    Type.String({ description: 'Only returned when it was just created. It cannot be read again.' }),
  ),
  created_at: Timestamp,
});

const ContentItem = Type.Object(
  { type: Type.String({ minLength: 1, maxLength: 128, description: 'Must be text. Other types are rejected.' }) },
  { additionalProperties: true },
);

const Message = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        pattern: idPattern,
        description: 'A message whose id is already in the session is not stored again',
      }),
    ),
    sender_id: Id,
    role: Role,
    timestamp: Milliseconds,
    content: Type.Union([
      Type.String({ minLength: 1, maxLength: memoryLimits.contentCharacters }),
      Type.Array(ContentItem, { minItems: 1, maxItems: 1000 }),
    ]),
  },
  closed,
);

export const addBody = Type.Object(
  {
    ...identityFields,
    session_id: SessionId,
    ...placeFields,
    messages: Type.Array(Message, { minItems: 1, maxItems: memoryLimits.batch }),
    ...offTheRecordField,
  },
  closed,
);

export const Added = Type.Object({
  message_count: Type.Integer({ description: 'Number of new messages' }),
  status: Type.Enum(['accumulated']),
});

export const flushBody = Type.Object({ ...identityFields, session_id: SessionId, ...placeFields }, closed);

export const Flushed = Type.Object({
  status: Type.Enum(['extracted', 'no_extraction']),
  episodes: Type.Integer({ description: 'Number of closed episodes' }),
  digest_id: Type.Optional(Type.String({ description: 'Event of the last closed episode' })),
});

const When = Type.Union([Milliseconds, Moment]);

export const searchBody = Type.Object(
  {
    ...identityFields,
    conversation_id: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9._:@-]{1,251}$' })),
    query: Type.String({ minLength: 1, maxLength: memoryLimits.queryCharacters }),
    scope: Type.Array(Type.Enum([...recallScopes]), {
      minItems: 1,
      maxItems: recallScopes.length,
      default: ['current_chat', 'resources'],
    }),
    top_k: Type.Integer({ minimum: 1, maximum: 100, default: 8 }),
    method: Type.Enum(['hybrid', 'keyword', 'vector'], { default: 'hybrid' }),
    radius: Type.Number({ minimum: 0, maximum: 1, default: 0, description: 'Minimum score' }),
    filters: Type.Optional(
      Type.Object(
        {
          session_id: Type.Optional(SessionId),
          sender_id: Type.Optional(Id),
          role: Type.Optional(Role),
          from: Type.Optional(When),
          to: Type.Optional(When),
        },
        closed,
      ),
    ),
    ...placeFields,
  },
  closed,
);

export const Result = Type.Object(
  {
    id: Type.String(),
    session_id: Type.Union([Type.String(), Type.Null()]),
    text: Type.String(),
    score: Type.Number(),
    source_scope: Type.Enum([...recallScopes]),
    resource_uri: Type.Optional(Type.String()),
    raw: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'How it is stored: kind, role, sender_id, app_id, project_id, timestamp, created_at, surface, author, trust, metadata; in truth whether it is `current`, and a `note` on what took its place or contradicts it. For a piece of a file also title (the name of the file if it has no title) and heading (the headings above the piece, or the names of the columns of a table).',
    }),
  },
  { title: 'GatewayResult' },
);

export const Results = Type.Object({ results: Type.Array(Result), incomplete });

/** A malformed id is treated like one that does not exist. */
const MemoryId = Type.String({ minLength: 1, maxLength: 256 });

export const overrideBody = Type.Object(
  {
    ...identityFields,
    ...placeFields,
    id: MemoryId,
    content: Type.String({ minLength: 1, maxLength: memoryLimits.contentCharacters }),
  },
  closed,
);

export const deleteBody = Type.Object({ ...identityFields, ...placeFields, id: MemoryId }, closed);
export const Deleted = Type.Object({ deleted: Type.Integer({ minimum: 0, maximum: 1 }) });

export type MessageBody = Static<typeof Message>;
export type SearchBody = Static<typeof searchBody>;
