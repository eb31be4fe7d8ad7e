import { Type } from 'typebox';
import type { Engine } from '../../engine/engine.js';
import {
  getUnrecorded,
  goOffTheRecord,
  goOnTheRecord,
  listUnrecorded,
} from '../../engine/state/unrecorded-sessions.js';
import { toMoment } from '../../http/moment.js';
import { defineRoute } from '../../http/route.js';
import { Moment, nextCursor, onBehalfOf, pageQuery, Timestamp, toNextCursor } from '../../http/wire-schemas.js';
import { toRecordState } from './to-record-state.js';

const closed = { additionalProperties: false };
const SessionId = Type.String({ pattern: '^[A-Za-z0-9._:@-]{1,256}$' });
const params = Type.Object({ session_id: SessionId });
const userQuery = Type.Object(onBehalfOf, closed);

const RecordState = Type.Object(
  {
    session_id: Type.String(),
    off_the_record: Type.Boolean(),
    started_at: Type.Optional(Timestamp),
    until: Type.Optional(
      Type.Union([Timestamp, Type.Null()], { description: 'When it ends by itself; null if somebody has to end it' }),
    ),
  },
  { title: 'RecordState' },
);

export const offTheRecordRoutes = [
  defineRoute({
    operation: 'offTheRecord.start',
    method: 'PUT',
    path: '/v1/off-the-record/{session_id}',
    summary: 'Take a session off the record: nothing that comes from it is stored, through any surface.',
    description:
      'Each call that would have stored something leaves one audit record without content. What was stored before stays. Repeat the call to change the end.',
    access: 'user',
    request: {
      params,
      body: Type.Object(
        { until: Type.Optional(Type.Union([Moment, Type.Null()])), ...onBehalfOf },
        { ...closed, type: ['object', 'null'] },
      ),
    },
    responses: { 200: { description: 'It is off the record', schema: RecordState } },
    async handle(engine: Engine, { caller, params, body }) {
      const until = toMoment('until', body?.until ?? undefined) ?? null;
      return { body: toRecordState(await goOffTheRecord(engine, caller, { sessionId: params.session_id, until })) };
    },
  }),
  defineRoute({
    operation: 'offTheRecord.get',
    method: 'GET',
    path: '/v1/off-the-record/{session_id}',
    summary: 'Say whether a session is off the record.',
    access: 'user',
    request: { params, query: userQuery },
    responses: { 200: { description: 'Whether it is, and until when', schema: RecordState } },
    async handle(engine: Engine, { caller, params }) {
      const found = await getUnrecorded(engine, caller, params.session_id);
      return { body: found ? toRecordState(found) : { session_id: params.session_id, off_the_record: false } };
    },
  }),
  defineRoute({
    operation: 'offTheRecord.list',
    method: 'GET',
    path: '/v1/off-the-record',
    summary: 'List the sessions that are off the record, ordered by id.',
    access: 'user',
    request: { query: Type.Object({ ...pageQuery, ...onBehalfOf }, closed) },
    responses: {
      200: {
        description: 'One page of sessions',
        schema: Type.Object({ sessions: Type.Array(RecordState), next_cursor: nextCursor }, { title: 'RecordStates' }),
      },
    },
    async handle(engine: Engine, { caller, query: { limit, cursor } }) {
      const { items, nextCursor } = await listUnrecorded(engine, caller, { limit, cursor });
      return { body: { sessions: items.map(toRecordState), ...toNextCursor(nextCursor) } };
    },
  }),
  defineRoute({
    operation: 'offTheRecord.end',
    method: 'DELETE',
    path: '/v1/off-the-record/{session_id}',
    summary: 'Put a session on the record again.',
    access: 'user',
    request: { params, query: userQuery },
    responses: { 204: { description: 'It is on the record' } },
    async handle(engine: Engine, { caller, params }) {
      await goOnTheRecord(engine, caller, params.session_id);
      return {};
    },
  }),
];
