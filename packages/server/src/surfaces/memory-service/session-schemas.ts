import { Type } from 'typebox';
import { Moment, nextCursor, onBehalfOf, pageQuery, Timestamp } from '../../http/wire-schemas.js';
import { AgentId, SessionId } from './limits.js';
import { PlanSummary } from './plan-schemas.js';
import { Count, closed, JsonObject, nullable } from './shared-schemas.js';
import { JsonObjectOrEmpty } from './state-schemas.js';

const Name = Type.String({ minLength: 1, maxLength: 255 });

export const sessionParams = Type.Object({ session_id: SessionId });

export const sessionListQuery = Type.Object({ ...pageQuery, ...onBehalfOf }, closed);

export const sessionBody = Type.Object(
  {
    session_id: SessionId,
    agent_id: Type.Optional(AgentId),
    name: Type.Optional(Name),
    metadata: JsonObjectOrEmpty,
    ...onBehalfOf,
  },
  closed,
);

/** An empty body is a valid change: it sets `last_interaction` to now. */
export const sessionChange = Type.Object(
  {
    last_interaction: Type.Optional(Moment),
    metadata: Type.Optional(JsonObject),
    name: Type.Optional(nullable(Name)),
    ...onBehalfOf,
  },
  { ...closed, type: ['object', 'null'] },
);

const session = {
  session_id: SessionId,
  agent_id: nullable(AgentId),
  name: nullable(Name),
  metadata: JsonObject,
  created_at: Timestamp,
  last_interaction: Timestamp,
};

export const Session = Type.Object(session, { title: 'Session' });

export const SessionPage = Type.Object(
  {
    ...session,
    plans: Type.Array(PlanSummary, { description: 'The newest plans of the session' }),
    plans_next_cursor: Type.Optional(
      Type.String({
        description: 'Cursor for listing the remaining plans with this session_id. Absent if there are no more.',
      }),
    ),
  },
  { title: 'SessionPage' },
);

export const SessionList = Type.Object(
  { sessions: Type.Array(Session), count: Count, next_cursor: nextCursor },
  { title: 'SessionList' },
);
