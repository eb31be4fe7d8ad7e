import { type Json, Problem } from '@memhall/core';
import type { Engine } from '../../engine/engine.js';
import {
  clearWorkingValues,
  deleteWorkingValue,
  getWorkingValue,
  listWorkingValues,
  putWorkingValue,
} from '../../engine/state/working-values.js';
import { toPrecondition } from '../../http/preconditions.js';
import { defineRoute, type RouteReply } from '../../http/route.js';
import type { WorkingValue } from '../../ports/working-values.js';
import { toWorkingEntry, toWorkingList } from './to-working-entry.js';
import {
  ifMatchHeader,
  planParams,
  userQuery,
  WorkingCleared,
  WorkingEntry,
  WorkingList,
  workingBody,
  workingListQuery,
  workingParams,
  writeHeaders,
} from './working-schemas.js';

const etagHeader = { ETag: 'Changes with every write to the value' };

export const workingRoutes = [
  defineRoute({
    operation: 'working.put',
    method: 'PUT',
    path: '/v1/memory/working/{plan_id}/{key}',
    summary: "Set a value in a plan's working memory.",
    access: 'user',
    request: { params: workingParams, headers: writeHeaders, body: workingBody },
    responses: { 200: { description: 'The stored value', schema: WorkingEntry, headers: etagHeader } },
    problems: ['ETAG_MISMATCH', 'OFF_THE_RECORD'],
    async handle(engine: Engine, { caller, params, headers, body }) {
      const value = await putWorkingValue(engine, caller, {
        planId: params.plan_id,
        key: params.key,
        value: body.value as Json,
        ttlSeconds: body.ttl_seconds,
        sessionId: body.session_id,
        precondition: toPrecondition(headers),
      });
      return reply(value);
    },
  }),
  defineRoute({
    operation: 'working.get',
    method: 'GET',
    path: '/v1/memory/working/{plan_id}/{key}',
    summary: "Read a value from a plan's working memory.",
    access: 'user',
    request: { params: workingParams, query: userQuery },
    responses: { 200: { description: 'The value', schema: WorkingEntry, headers: etagHeader } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const value = await getWorkingValue(engine, caller, { planId: params.plan_id, key: params.key });
      if (value === undefined) throw noSuchValue();
      return reply(value);
    },
  }),
  defineRoute({
    operation: 'working.list',
    method: 'GET',
    path: '/v1/memory/working/{plan_id}',
    summary: "List a plan's working memory, ordered by key.",
    access: 'user',
    request: { params: planParams, query: workingListQuery },
    responses: { 200: { description: 'One page of values', schema: WorkingList } },
    async handle(engine: Engine, { caller, params, query }) {
      const page = await listWorkingValues(engine, caller, {
        planId: params.plan_id,
        prefix: query.prefix,
        limit: query.limit,
        cursor: query.cursor,
      });
      return { body: toWorkingList(params.plan_id, page) };
    },
  }),
  defineRoute({
    operation: 'working.delete',
    method: 'DELETE',
    path: '/v1/memory/working/{plan_id}/{key}',
    summary: "Delete a value from a plan's working memory.",
    access: 'user',
    request: { params: workingParams, query: userQuery, headers: ifMatchHeader },
    responses: { 204: { description: 'Deleted' } },
    problems: ['NOT_FOUND', 'ETAG_MISMATCH'],
    async handle(engine: Engine, { caller, params, headers }) {
      const deleted = await deleteWorkingValue(engine, caller, {
        planId: params.plan_id,
        key: params.key,
        precondition: toPrecondition(headers),
      });
      if (!deleted) throw noSuchValue();
      return {};
    },
  }),
  defineRoute({
    operation: 'working.clear',
    method: 'DELETE',
    path: '/v1/memory/working/{plan_id}',
    summary: 'Delete the whole working memory of a plan.',
    access: 'user',
    request: { params: planParams, query: userQuery },
    responses: { 200: { description: 'The number of deleted values', schema: WorkingCleared } },
    async handle(engine: Engine, { caller, params }) {
      const deleted = await clearWorkingValues(engine, caller, { planId: params.plan_id });
      return { body: { deleted_count: deleted, plan_id: params.plan_id } };
    },
  }),
];

function reply(value: WorkingValue): RouteReply {
  return { headers: { etag: `"${value.etag}"` }, body: toWorkingEntry(value) };
}

function noSuchValue(): Problem {
  return new Problem('NOT_FOUND', 'The value does not exist. It was never set, was deleted, or has expired.');
}
