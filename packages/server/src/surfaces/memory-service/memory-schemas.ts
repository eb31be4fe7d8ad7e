import { Type } from 'typebox';
import { memoryLimits } from '../../engine/memories/memory-input.js';
import { offTheRecordField } from '../../http/off-the-record.js';
import { Id, Moment, nextCursor, onBehalfOf, pageQuery, Timestamp } from '../../http/wire-schemas.js';
import { AgentId, PlanId, SessionId } from './limits.js';
import { Count, closed, JsonObject, nullable } from './shared-schemas.js';

const Content = Type.String({ minLength: 1, maxLength: memoryLimits.contentCharacters });
const Query = Type.String({ minLength: 1, maxLength: memoryLimits.queryCharacters });
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: memoryLimits.tagCharacters }), {
  maxItems: memoryLimits.tags,
});
const ExternalId = Type.String({ minLength: 1, maxLength: 255 });
const Source = Type.String({ minLength: 1, maxLength: memoryLimits.labelCharacters });
const Score = Type.Optional(
  Type.Number({ minimum: 0, maximum: 1, description: 'Match score. Comparable only within one response.' }),
);

function limit(byDefault: number, most: number) {
  return Type.Integer({ minimum: 1, maximum: most, default: byDefault });
}

export const idParams = Type.Object({ id: Id });

export const semanticBody = Type.Object(
  {
    content: Content,
    external_id: Type.Optional(ExternalId),
    is_public: Type.Boolean({ default: false }),
    metadata: Type.Optional(JsonObject),
    tags: Type.Optional(Tags),
    source: Type.Optional(Source),
    plan_id: Type.Optional(PlanId),
    session_id: Type.Optional(SessionId),
    ...offTheRecordField,
    ...onBehalfOf,
  },
  closed,
);

export const semanticQueryBody = Type.Object(
  {
    query: Type.Optional(Query),
    query_embedding: Type.Optional(Type.Array(Type.Number(), { minItems: 1, maxItems: 16_000 })),
    top_k: limit(10, 100),
    include_public: Type.Boolean({ default: true }),
    filters: Type.Optional(
      Type.Object(
        {
          tags: Type.Optional(Tags),
          source: Type.Optional(Source),
          plan_id: Type.Optional(PlanId),
          session_id: Type.Optional(SessionId),
          metadata: Type.Optional(JsonObject),
          created_after: Type.Optional(Moment),
          created_before: Type.Optional(Moment),
        },
        closed,
      ),
    ),
    ...onBehalfOf,
  },
  closed,
);

export const semanticQueryString = Type.Object(
  { q: Query, top_k: limit(10, 100), include_public: Type.Boolean({ default: true }), ...onBehalfOf },
  closed,
);

/** Filters of lists of knowledge, in a query string. */
const semanticFilters = {
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: memoryLimits.tagCharacters })),
  source: Type.Optional(Source),
  plan_id: Type.Optional(PlanId),
  session_id: Type.Optional(SessionId),
  created_after: Type.Optional(Moment),
  created_before: Type.Optional(Moment),
};

export const semanticListQuery = Type.Object(
  { ...semanticFilters, include_public: Type.Boolean({ default: true }), ...pageQuery, ...onBehalfOf },
  closed,
);
export const semanticDeleteQuery = Type.Object({ ...semanticFilters, ...onBehalfOf }, closed);

export const externalIdQuery = Type.Object(
  {
    external_id: ExternalId,
    is_public: Type.Boolean({ default: false, description: 'Whether the entry is public: part of its key' }),
    ...onBehalfOf,
  },
  closed,
);

export const EntriesDeleted = Type.Object({ deleted_count: Type.Integer() }, { title: 'EntriesDeleted' });

export const SemanticEntry = Type.Object(
  {
    id: Id,
    tenant_id: Id,
    user_id: Id,
    content: Type.String(),
    external_id: nullable(Type.String()),
    is_public: Type.Boolean(),
    metadata: JsonObject,
    tags: Type.Array(Type.String()),
    source: nullable(Type.String()),
    plan_id: nullable(Type.String()),
    session_id: nullable(Type.String()),
    content_hash: Type.String({ description: 'SHA-256 of the content, hexadecimal' }),
    created_at: Timestamp,
    updated_at: Timestamp,
    score: Score,
  },
  { title: 'SemanticEntry' },
);

export const SemanticEntries = Type.Object(
  { entries: Type.Array(SemanticEntry), count: Count, next_cursor: nextCursor },
  { title: 'SemanticEntries' },
);

const interaction = {
  agent_id: AgentId,
  role: Type.Enum(['user', 'assistant', 'system', 'tool']),
  content: Content,
  metadata: Type.Optional(JsonObject),
  session_id: Type.Optional(SessionId),
  occurred_at: Type.Optional(Moment),
};

export const episodicBody = Type.Object({ ...interaction, ...offTheRecordField, ...onBehalfOf }, closed);
export const episodicBatchBody = Type.Object(
  {
    entries: Type.Array(Type.Object(interaction, closed), { minItems: 1, maxItems: memoryLimits.batch }),
    ...offTheRecordField,
    ...onBehalfOf,
  },
  closed,
);

export const EpisodicEntry = Type.Object(
  {
    id: Id,
    agent_id: AgentId,
    role: Type.String(),
    content: Type.String(),
    metadata: JsonObject,
    session_id: nullable(Type.String()),
    occurred_at: Timestamp,
    created_at: Timestamp,
    score: Score,
  },
  { title: 'EpisodicEntry' },
);

export const EpisodicEntries = Type.Object(
  { entries: Type.Array(EpisodicEntry), count: Count, next_cursor: nextCursor },
  { title: 'EpisodicEntries' },
);

export const episodicRecentQuery = Type.Object(
  {
    agent_id: AgentId,
    session_id: Type.Optional(SessionId),
    limit: limit(10, 100),
    cursor: pageQuery.cursor,
    ...onBehalfOf,
  },
  closed,
);
export const episodicSearchQuery = Type.Object(
  { agent_id: AgentId, q: Query, limit: limit(5, 50), ...onBehalfOf },
  closed,
);

export const episodicSessionQuery = Type.Object({ agent_id: AgentId, session_id: SessionId, ...onBehalfOf }, closed);
export const EpisodicForgotten = Type.Object(
  { deleted_count: Type.Integer(), session_id: SessionId },
  { title: 'EpisodicForgotten' },
);

const ProcedureType = Type.Enum(['system_prompt', 'few_shot_example', 'skill']);

export const proceduralListQuery = Type.Object(
  {
    agent_id: Type.Optional(AgentId),
    procedure_type: Type.Optional(ProcedureType),
    ...pageQuery,
    ...onBehalfOf,
  },
  closed,
);
export const proceduralDeleteQuery = Type.Object(
  { agent_id: AgentId, procedure_type: Type.Optional(ProcedureType), ...onBehalfOf },
  closed,
);

export const proceduralBody = Type.Object(
  {
    agent_id: AgentId,
    trigger_condition: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })),
    procedure_type: ProcedureType,
    content: Content,
    metadata: Type.Optional(JsonObject),
    ...offTheRecordField,
    ...onBehalfOf,
  },
  closed,
);

export const ProceduralEntry = Type.Object(
  {
    id: Id,
    agent_id: AgentId,
    trigger_condition: nullable(Type.String()),
    procedure_type: Type.String(),
    content: Type.String(),
    metadata: JsonObject,
    occurred_at: Timestamp,
    created_at: Timestamp,
    score: Score,
  },
  { title: 'ProceduralEntry' },
);

export const ProceduralEntries = Type.Object(
  { entries: Type.Array(ProceduralEntry), count: Count, next_cursor: nextCursor },
  { title: 'ProceduralEntries' },
);

export const proceduralContextQuery = Type.Object(
  { agent_id: AgentId, q: Query, limit: limit(3, 20), ...onBehalfOf },
  closed,
);
