import { Problem } from '@memhall/core';
import type { Engine } from '../../engine/engine.js';
import { createSession, deleteSession, getSession, listSessions, updateSession } from '../../engine/state/sessions.js';
import { toMoment } from '../../http/moment.js';
import { toPrecondition } from '../../http/preconditions.js';
import { defineRoute, type RouteReply } from '../../http/route.js';
import type * as stored from '../../ports/sessions.js';
import { toNormalText } from './normal-text.js';
import {
  Session,
  SessionList,
  SessionPage,
  sessionBody,
  sessionChange,
  sessionListQuery,
  sessionParams,
} from './session-schemas.js';
import { etagHeader } from './state-schemas.js';
import { toSession, toSessionList, toSessionPage } from './to-session.js';
import { ifMatchHeader, userQuery } from './working-schemas.js';

const headers = etagHeader('session');

export const sessionRoutes = [
  defineRoute({
    operation: 'sessions.create',
    method: 'POST',
    path: '/v1/memory/sessions',
    summary: 'Create a session.',
    access: 'user',
    request: { body: sessionBody },
    responses: { 201: { description: 'The session', schema: Session, headers } },
    problems: ['CONFLICT', 'OFF_THE_RECORD'],
    async handle(engine: Engine, { caller, body }) {
      const session = await createSession(engine, caller, {
        sessionId: body.session_id,
        agentId: body.agent_id ?? null,
        name: toNormalText(body.name ?? null),
        metadata: body.metadata,
      });
      return reply(session);
    },
  }),
  defineRoute({
    operation: 'sessions.list',
    method: 'GET',
    path: '/v1/memory/sessions',
    summary: 'List sessions, most recent interaction first.',
    access: 'user',
    request: { query: sessionListQuery },
    responses: { 200: { description: 'One page of sessions', schema: SessionList } },
    async handle(engine: Engine, { caller, query }) {
      return { body: toSessionList(await listSessions(engine, caller, { limit: query.limit, cursor: query.cursor })) };
    },
  }),
  defineRoute({
    operation: 'sessions.get',
    method: 'GET',
    path: '/v1/memory/sessions/{session_id}',
    summary: 'Read a session and its newest plans.',
    access: 'user',
    request: { params: sessionParams, query: userQuery },
    responses: { 200: { description: 'The session', schema: SessionPage, headers } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const found = await getSession(engine, caller, { sessionId: params.session_id });
      if (found === undefined) throw noSuchSession();
      const { session, plans } = found;
      return { headers: { etag: `"${session.etag}"` }, body: toSessionPage(session, plans) };
    },
  }),
  defineRoute({
    operation: 'sessions.update',
    method: 'PUT',
    path: '/v1/memory/sessions/{session_id}',
    summary: 'Update a session. Each given field is replaced as a whole; an empty body sets last_interaction to now.',
    access: 'user',
    request: { params: sessionParams, headers: ifMatchHeader, body: sessionChange },
    responses: { 200: { description: 'The updated session', schema: Session, headers } },
    problems: ['NOT_FOUND', 'ETAG_MISMATCH', 'OFF_THE_RECORD'],
    async handle(engine: Engine, { caller, params, headers, body }) {
      const change = body ?? {};
      const session = await updateSession(engine, caller, {
        sessionId: params.session_id,
        lastInteraction: toMoment('last_interaction', change.last_interaction),
        metadata: change.metadata,
        name: toNormalText(change.name),
        precondition: toPrecondition(headers),
      });
      if (session === undefined) throw noSuchSession();
      return reply(session);
    },
  }),
  defineRoute({
    operation: 'sessions.delete',
    method: 'DELETE',
    path: '/v1/memory/sessions/{session_id}',
    summary: 'Delete a session. Its plans are kept.',
    access: 'user',
    request: { params: sessionParams, query: userQuery, headers: ifMatchHeader },
    responses: { 204: { description: 'Deleted' } },
    problems: ['NOT_FOUND', 'ETAG_MISMATCH'],
    async handle(engine: Engine, { caller, params, headers }) {
      const input = { sessionId: params.session_id, precondition: toPrecondition(headers) };
      if (!(await deleteSession(engine, caller, input))) throw noSuchSession();
      return {};
    },
  }),
];

function reply(session: stored.Session): RouteReply {
  return { headers: { etag: `"${session.etag}"` }, body: toSession(session) };
}

function noSuchSession(): Problem {
  return new Problem('NOT_FOUND', 'The session does not exist. It was never created, or it was deleted.');
}
