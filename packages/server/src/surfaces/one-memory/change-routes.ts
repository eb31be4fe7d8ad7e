import { Type } from 'typebox';
import { fromNow, readChanges } from '../../engine/changes/read-changes.js';
import type { Engine } from '../../engine/engine.js';
import { defineRoute } from '../../http/route.js';
import { startedStream } from '../../http/started-stream.js';
import { onBehalfOf, Timestamp } from '../../http/wire-schemas.js';
import { changeStream } from './change-stream.js';
import { memberOf } from './member-of.js';
import { toChange } from './to-change.js';

const closed = { additionalProperties: false };
const eventStream = 'text/event-stream';
const Cursor = Type.String({ minLength: 1, maxLength: 8000, pattern: '^[A-Za-z0-9_-]+$' });

const Change = Type.Object(
  {
    cursor: Type.String({ description: 'Continues after this change' }),
    at: Timestamp,
    operation: Type.String({ description: 'What changed it, such as memory.remember' }),
    kind: Type.String({ description: 'The kind of memory, or of another record such as document or fact' }),
    id: Type.String(),
  },
  { title: 'Change' },
);
const Changes = Type.Object(
  {
    changes: Type.Array(Change),
    next_cursor: Type.String({ description: 'Continues after this page, also if it is empty' }),
  },
  { title: 'Changes' },
);

const changesQuery = Type.Object(
  {
    after: Type.Optional({
      ...Cursor,
      description: `A cursor, or \`${fromNow}\`: only what happens from now on. Default: pages begin with the oldest change that is kept, streams with the next one`,
    }),
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
    ...onBehalfOf,
  },
  closed,
);
const changesHeaders = Type.Object({
  accept: Type.Optional(Type.String({ description: `\`${eventStream}\` for a stream` })),
  'last-event-id': Type.Optional({ ...Cursor, description: 'The cursor that a stream continues after; `after` wins' }),
});

export const changeRoutes = [
  defineRoute({
    operation: 'changes.list',
    method: 'GET',
    path: '/v1/changes',
    summary: 'Follow what changes within the scope of the caller: ids only.',
    description:
      'Changes of one owner or namespace come in the order in which they happened, each of them once. They are kept for 30 days. As a stream, each change is an event named `change` whose id is its cursor; the stream ends when the token does.',
    access: 'user',
    request: { query: changesQuery, headers: changesHeaders },
    responses: { 200: { description: 'Oldest first', schema: Changes, streamType: eventStream } },
    problems: ['CURSOR_EXPIRED'],
    async handle(engine: Engine, request) {
      const { after, limit } = request.query;
      const member = memberOf(request);
      if (!wantsStream(request.headers.accept)) {
        const { changes, nextCursor } = await readChanges(engine, member, { after, limit });
        return { body: { changes: changes.map(toChange), next_cursor: nextCursor } };
      }
      const text = changeStream(engine, member, request.identity, after ?? request.headers['last-event-id']);
      const headers = { 'content-type': eventStream, 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
      return { headers, body: await startedStream(text) };
    },
  }),
];

/** Clients that also take JSON get a page. */
function wantsStream(accept = ''): boolean {
  return accept.includes(eventStream) && !accept.includes('application/json');
}
