import { type Static, Type } from 'typebox';
import { memoryKinds } from '../../engine/memories/kinds.js';
import { memoryLimits } from '../../engine/memories/memory-input.js';
import { readScopes } from '../../engine/one-memory/reading.js';
import { storableKinds } from '../../engine/one-memory/remember-any.js';
import { whyReasons } from '../../engine/one-memory/why-recalled.js';
import { exportFormats } from '../../engine/personal-export/export-part.js';
import { currencyFields, includeSuperseded, timeFields } from '../../http/currency.js';
import { offTheRecordField } from '../../http/off-the-record.js';
import {
  eitherBy,
  Id,
  incomplete,
  Moment,
  nextCursor,
  onBehalfOf,
  pageQuery,
  Timestamp,
} from '../../http/wire-schemas.js';
import { surfaceNames, trustLevels } from '../../ports/memory-origin.js';
import { maxNamespaceLength, namespacePattern } from '../../ports/memory-plugin.js';

const closed = { additionalProperties: false };
const JsonObject = Type.Record(Type.String(), Type.Unknown());
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

const Content = Type.String({ minLength: 1, maxLength: memoryLimits.contentCharacters });
const Tag = Type.String({ minLength: 1, maxLength: memoryLimits.tagCharacters });
const Tags = Type.Array(Tag, { maxItems: memoryLimits.tags });
const SessionId = Type.String({ pattern: '^[A-Za-z0-9._:@-]{1,256}$' });
const ExternalId = Type.String({ minLength: 1, maxLength: 255 });
const Namespace = Type.String({ pattern: namespacePattern, maxLength: maxNamespaceLength });
const Kind = Type.Enum(Object.keys(memoryKinds) as (keyof typeof memoryKinds)[]);
const Trust = Type.Enum([...trustLevels], {
  description: 'user and operator are equal, then agent, tool, external. Callers can lower it, never raise it.',
});

const given = {
  content: Content,
  kind: Type.Enum([...storableKinds], { default: 'note' }),
  external_id: Type.Optional(ExternalId),
  tags: Type.Optional(Tags),
  metadata: Type.Optional(JsonObject),
  session_id: Type.Optional(SessionId),
  role: Type.Optional(Type.Enum(['user', 'assistant', 'tool', 'system'], { description: 'Who says it' })),
  occurred_at: Type.Optional(Moment),
  expires_at: Type.Optional(Moment),
  pin: Type.Optional(Type.Boolean()),
  namespace: Type.Optional(Namespace),
  trust: Type.Optional(Trust),
};

const GivenMemory = Type.Object(given, closed);

export const exportQuery = Type.Object(
  { format: Type.Enum([...exportFormats], { default: 'jsonl' }), ...onBehalfOf },
  closed,
);

export const rememberBody = eitherBy(
  'memories',
  Type.Object(
    {
      memories: Type.Array(GivenMemory, { minItems: 1, maxItems: memoryLimits.batch }),
      ...offTheRecordField,
      ...onBehalfOf,
    },
    closed,
  ),
  Type.Object({ ...given, ...offTheRecordField, ...onBehalfOf }, closed),
);

export const rememberHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ pattern: '^[\\x21-\\x7e]{1,255}$', description: 'Repeats the first response for 24 hours' }),
  ),
});

export const Origin = Type.Object({
  surface: Type.Enum([...surfaceNames]),
  author: Type.String({ description: 'The user who wrote it, else the service; empty if nobody is known' }),
  role: Type.Optional(Type.String()),
  namespace: Type.Optional(Type.String()),
  session_id: Type.Optional(Type.String()),
  document: Type.Optional(Type.Object({ namespace: Type.String(), path: Type.String(), pointer: Type.String() })),
  resource: Type.Optional(Type.Object({ resource_id: Type.String(), title: nullable(Type.String()) })),
  tier: Type.Optional(Type.Object({ owner: Type.String(), label: Type.String() })),
});

export const AnyMemory = Type.Object(
  {
    id: Type.String(),
    content: Type.String(),
    kind: Type.String(),
    external_id: nullable(Type.String()),
    tags: Type.Array(Type.String()),
    metadata: JsonObject,
    session_id: nullable(Type.String()),
    role: nullable(Type.String()),
    pin: Type.Boolean(),
    namespace: nullable(Type.String()),
    public: Type.Boolean(),
    occurred_at: Timestamp,
    expires_at: nullable(Timestamp),
    recorded_at: Timestamp,
    updated_at: Timestamp,
    trust: Trust,
    origin: Origin,
  },
  { title: 'AnyMemory' },
);

export const Remembered = Type.Object({
  memory: Type.Optional(
    Type.Unsafe<Static<typeof AnyMemory>>({ ...AnyMemory, description: 'Absent if several were sent' }),
  ),
  memories: Type.Optional(Type.Array(AnyMemory, { description: 'Present if several were sent, in their order' })),
});

const filters = {
  kinds: Type.Optional(Type.Array(Kind, { minItems: 1, maxItems: 32 })),
  namespaces: Type.Optional(Type.Array(Namespace, { minItems: 1, maxItems: 100 })),
  session_id: Type.Optional(SessionId),
  tags: Type.Optional(Tags),
  from: Type.Optional(Type.Unsafe<string>({ ...Moment, description: 'Earliest occurred_at' })),
  to: Type.Optional(Type.Unsafe<string>({ ...Moment, description: 'Latest occurred_at' })),
};

const recallFields = {
  query: Type.String({ minLength: 1, maxLength: memoryLimits.queryCharacters }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
  scopes: Type.Array(Type.Enum([...readScopes]), { minItems: 1, uniqueItems: true, default: [...readScopes] }),
  ...filters,
  ...timeFields,
  ...includeSuperseded,
  group_by: Type.Enum(['memory', 'session'], {
    default: 'memory',
    description: 'session: sessions are ranked on all their memories; memories without one are left out',
  }),
  match: Type.Enum(['both', 'words', 'meaning'], {
    default: 'both',
    description:
      'words or meaning: compares by that alone, without the reranker. For tests, and to see what each finds',
  }),
  rerank: Type.Boolean({ default: true, description: 'false: the order before the reranker, if one is in use' }),
  explain: Type.Boolean({ default: false }),
  token_budget: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Cut the list so that the texts fit: 4 characters a token',
    }),
  ),
  ...onBehalfOf,
};

export const recallBody = Type.Object(
  {
    ...recallFields,
    embedder: Type.Enum(['own', 'compared'], {
      default: 'own',
      description:
        'compared: ranks as if the embedder at MEMHALL_COMPARED_EMBEDDER were in use. Takes seconds. Not available for sessions (group_by: session)',
    }),
  },
  closed,
);
export const whyBody = Type.Object({ ...recallFields, memory_id: Id }, closed);

const scoreParts = {
  lexical: Type.Number(),
  dense: Type.Number(),
  context: Type.Number(),
  speaker: Type.Number(),
  time: Type.Number(),
  hint: Type.Number(),
  pin: Type.Number(),
  recency: Type.Number(),
  truth: Type.Number({
    description: 'Less for what is no longer true or disputed; more for the past if the query asks about it',
  }),
  rerank: Type.Optional(Type.Number({ description: 'Only if a reranker is in use' })),
  cosine: nullable(Type.Number()),
};

const Explain = Type.Object(
  {
    ...scoreParts,
    reranked: Type.Optional(
      Type.Object(
        {
          place: Type.Integer({ description: 'From 1: its place before' }),
          relevance: nullable(
            Type.Number({ description: 'What the model says of it; null if it did not answer in time' }),
          ),
        },
        { description: 'What the reranker did; missing if it did not read this memory' },
      ),
    ),
    scored_as: Type.Optional(
      Type.String({
        description: 'Score and parts are those of this memory: it is shown in its place, or because it contradicts it',
      }),
    ),
    copies: Type.Array(Type.Object({ id: Type.String(), reason: Type.String() })),
  },
  { description: 'What each part added to the score, and why other memories count as copies' },
);

const Result = Type.Object(
  {
    id: Type.String(),
    text: Type.String(),
    kind: Type.String(),
    score: Type.Number({ description: '0 to 1. Comparable only within one response.' }),
    occurred_at: Timestamp,
    recorded_at: Timestamp,
    origin: Origin,
    trust: Trust,
    ...currencyFields,
    stands_for: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Ids of memories that match the query and are no longer true: it is shown in their place',
      }),
    ),
    own: Type.Boolean({
      description: 'Whether it is in the memory of the user. Also true for what a service stored there: see `trust`',
    }),
    also: Type.Optional(Type.Array(Type.String(), { description: 'Ids of further copies of the statement' })),
    explain: Type.Optional(Explain),
  },
  { title: 'RecallResult' },
);

const SessionResult = Type.Object(
  {
    session_id: Type.String(),
    score: Type.Number({ description: '0 to 1. Comparable only within one response.' }),
    started_at: Type.Unsafe<string>({ ...Timestamp, description: 'When the first of its memories took place' }),
    ended_at: Type.Unsafe<string>({ ...Timestamp, description: 'When the last of its memories took place' }),
    best: Type.Array(Result, { description: 'Its best matches, at most three' }),
    count: Type.Integer({ description: 'How many of its memories match' }),
  },
  { title: 'RecallSession' },
);

export const Results = Type.Object(
  {
    results: Type.Array(Type.Union([Result, SessionResult], { description: 'Sessions with group_by session' })),
    incomplete,
  },
  { title: 'RecallResults' },
);

const { current: Current, ...optional } = currencyFields;
const optionalCurrency = { current: Type.Optional(Current), ...optional };

export const Why = Type.Object(
  {
    returned: Type.Boolean(),
    rank: Type.Optional(
      Type.Integer({
        description:
          'From 1: the place of its result or, if it was not returned, its place among everything that matches, before copies are joined. With group_by session: that of its session.',
      }),
    ),
    reason: Type.Enum([...whyReasons], {
      description:
        'no_session: it belongs to none. filter: the request leaves it out. superseded: nothing is true any more that it says. candidates: its partition is searched in the database, which did not propose it. threshold: it matches neither by word nor by meaning. copy: another result says the same. rank: others match better. token_budget: the texts up to it do not fit.',
    }),
    explain: Type.Object({
      message: Type.String({ description: 'The reason in words' }),
      filters: Type.Optional(
        Type.Array(Type.String(), { description: 'The fields of the request that leave it out, such as `kinds`' }),
      ),
      copy_of: Type.Optional(
        Type.Object({ id: Type.String(), reason: Type.String() }, { description: 'The result that it is a copy of' }),
      ),
      ...optionalCurrency,
      found_by: Type.Optional(Type.Array(Type.Enum(['words', 'meaning']))),
      score: Type.Optional(Type.Number()),
      parts: Type.Optional(Type.Object(scoreParts, { description: 'What each part added to its score' })),
      cosine_floor: Type.Optional(
        Type.Number({ description: 'The cosine from which a memory that shares no word with the query is found' }),
      ),
      matches: Type.Optional(Type.Integer({ description: 'How many memories match' })),
    }),
  },
  { title: 'RecallReason' },
);

export const memoryParams = Type.Object({ id: Id });
export const forgetQuery = Type.Object({ copies: Type.Boolean({ default: false }), ...onBehalfOf }, closed);
export const getQuery = Type.Object(onBehalfOf, closed);

export const updateBody = Type.Object(
  {
    content: Type.Optional(Content),
    tags: Type.Optional(Tags),
    metadata: Type.Optional(JsonObject),
    pin: Type.Optional(Type.Boolean()),
    expires_at: Type.Optional(nullable(Moment)),
    ...onBehalfOf,
  },
  closed,
);

export const listQuery = Type.Object(
  {
    ...pageQuery,
    kind: Type.Optional(Kind),
    namespace: Type.Optional(Namespace),
    session_id: Type.Optional(SessionId),
    tag: Type.Optional(Tag),
    external_id: Type.Optional(ExternalId),
    from: Type.Optional(Moment),
    to: Type.Optional(Moment),
    ...onBehalfOf,
  },
  closed,
);

export const MemoryPage = Type.Object(
  { memories: Type.Array(AnyMemory), next_cursor: nextCursor },
  { title: 'MemoryPage' },
);
export const OneMemory = Type.Object({ memory: AnyMemory });

export const MemoryWithHistory = Type.Object({
  memory: AnyMemory,
  origin: Origin,
  history: Type.Array(
    Type.Object({
      at: Timestamp,
      change: Type.Enum(['written', 'changed', 'removed']),
      surface: Type.Enum([...surfaceNames]),
      operation: Type.String(),
      user_id: nullable(Type.String()),
      service_id: nullable(Type.String()),
    }),
    {
      description:
        'Who wrote or changed it, oldest first; at most the latest 100. A piece has the history of its record.',
    },
  ),
});
