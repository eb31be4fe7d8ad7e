import { Type } from 'typebox';
import { Id, ifMatch, ifNoneMatch, nextCursor, onBehalfOf, pageQuery, Timestamp } from '../../http/wire-schemas.js';
import { PlanId, SessionId } from './limits.js';

const maxTtlSeconds = 10 * 365 * 24 * 3600;

export const planParams = Type.Object({ plan_id: PlanId });
export const workingParams = Type.Object({ plan_id: PlanId, key: Id });

export const userQuery = Type.Object(onBehalfOf, { additionalProperties: false });
export const workingListQuery = Type.Object(
  {
    prefix: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only keys that begin with this prefix' })),
    ...pageQuery,
    ...onBehalfOf,
  },
  { additionalProperties: false },
);

export const ifMatchHeader = Type.Object({ 'if-match': ifMatch });
export const writeHeaders = Type.Object({ 'if-match': ifMatch, 'if-none-match': ifNoneMatch });

export const workingBody = Type.Object(
  {
    value: Type.Unknown({ description: 'Any JSON value, stored unchanged' }),
    ttl_seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxTtlSeconds, description: 'Absent: the value does not expire' }),
    ),
    session_id: Type.Optional(
      Type.Unsafe<string>({
        ...SessionId,
        description: 'The session that it comes from. If that is off the record, the call is refused',
      }),
    ),
    ...onBehalfOf,
  },
  { additionalProperties: false },
);

export const WorkingEntry = Type.Object(
  {
    plan_id: PlanId,
    key: Id,
    value: Type.Unknown(),
    created_at: Timestamp,
    updated_at: Timestamp,
    expires_at: Type.Optional(Timestamp),
  },
  { title: 'WorkingEntry' },
);

export const WorkingList = Type.Object(
  {
    plan_id: PlanId,
    entries: Type.Array(WorkingEntry),
    count: Type.Integer({ description: 'Number of entries in this response' }),
    next_cursor: nextCursor,
  },
  { title: 'WorkingList' },
);

export const WorkingCleared = Type.Object(
  { deleted_count: Type.Integer(), plan_id: PlanId },
  { title: 'WorkingCleared' },
);
