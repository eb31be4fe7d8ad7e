import { Problem } from '@memhall/core';
import type { Static } from 'typebox';
import type { Caller } from '../../engine/caller.js';
import type { Engine } from '../../engine/engine.js';
import { type ExternalKey, getByExternalId } from '../../engine/memories/external-key.js';
import { forgetMatching } from '../../engine/memories/forget-matching.js';
import { forgetByExternalId, forgetMemories } from '../../engine/memories/forget-memories.js';
import { getMemory } from '../../engine/memories/get-memory.js';
import { listMemories } from '../../engine/memories/list-memories.js';
import { recall } from '../../engine/memories/recall/recall.js';
import { remember } from '../../engine/memories/remember.js';
import { toMoment } from '../../http/moment.js';
import { defineRoute, type RouteReply } from '../../http/route.js';
import type { MemoryFilter } from '../../ports/memories.js';
import {
  EntriesDeleted,
  externalIdQuery,
  idParams,
  SemanticEntries,
  SemanticEntry,
  semanticBody,
  semanticDeleteQuery,
  semanticListQuery,
  semanticQueryBody,
  semanticQueryString,
} from './memory-schemas.js';
import { kinds, toEntryPage, toScored, toSemanticEntry } from './to-memory-entry.js';
import { userQuery } from './working-schemas.js';

type Query = Static<typeof semanticQueryBody>;

export const semanticRoutes = [
  defineRoute({
    operation: 'semantic.store',
    method: 'POST',
    path: '/v1/memory/semantic',
    summary:
      'Store knowledge. Replaces the entry with the same external_id or, if there is none, with the same content.',
    access: 'user',
    request: { body: semanticBody },
    responses: {
      201: { description: 'A new entry', schema: SemanticEntry },
      200: {
        description: 'The updated entry, or an unchanged public entry of another user',
        schema: SemanticEntry,
      },
    },
    async handle(engine: Engine, { caller, body }) {
      const { memory, outcome } = await remember(engine, caller, {
        content: body.content,
        kind: kinds.semantic,
        uniqueContent: true,
        visibility: body.is_public ? 'public' : 'private',
        externalId: body.external_id?.normalize('NFC'),
        metadata: body.metadata,
        tags: body.tags,
        source: body.source,
        planId: body.plan_id,
        sessionId: body.session_id,
      });
      return { status: outcome === 'created' ? 201 : 200, body: toSemanticEntry(caller.tenantId, memory) };
    },
  }),
  defineRoute({
    operation: 'semantic.query',
    method: 'POST',
    path: '/v1/memory/semantic/query',
    summary: 'Search the knowledge of the user and the public knowledge of the tenant by words and meaning.',
    access: 'user',
    request: { body: semanticQueryBody },
    responses: { 200: { description: 'Best match first', schema: SemanticEntries } },
    problems: ['EMBEDDING_DIMENSION_MISMATCH'],
    handle: (engine: Engine, { caller, body }) => query(engine, caller, body),
  }),
  defineRoute({
    operation: 'semantic.find',
    method: 'GET',
    path: '/v1/memory/semantic/query',
    summary: 'Search knowledge with a simple query in the URL.',
    access: 'user',
    request: { query: semanticQueryString },
    responses: { 200: { description: 'Best match first', schema: SemanticEntries } },
    handle: (engine: Engine, { caller, query: { q, top_k, include_public } }) =>
      query(engine, caller, { query: q, top_k, include_public }),
  }),
  defineRoute({
    operation: 'semantic.list',
    method: 'GET',
    path: '/v1/memory/semantic',
    summary: 'List the knowledge of the user and the public knowledge of the tenant, newest first.',
    access: 'user',
    request: { query: semanticListQuery },
    responses: { 200: { description: 'One page of entries', schema: SemanticEntries } },
    async handle(engine: Engine, { caller, query }) {
      const { include_public, limit, cursor, tag, ...filters } = query;
      const page = await listMemories(engine, caller, {
        scope: { own: true, public: include_public },
        filter: { kinds: [kinds.semantic], ...toFilter({ ...filters, ...tagsOf(tag) }) },
        limit,
        cursor,
      });
      return { body: toEntryPage(page, (memory) => toSemanticEntry(caller.tenantId, memory)) };
    },
  }),
  defineRoute({
    operation: 'semantic.deleteMany',
    method: 'DELETE',
    path: '/v1/memory/semantic',
    summary: 'Delete the private entries of the user that match every given filter, in one transaction.',
    description: 'At least one filter is required. Public entries are deleted one by one.',
    access: 'user',
    request: { query: semanticDeleteQuery },
    responses: { 200: { description: 'The number of deleted entries', schema: EntriesDeleted } },
    async handle(engine: Engine, { caller, query: { user_id: _, tag, ...filters } }) {
      const given = { ...filters, ...tagsOf(tag) };
      if (Object.keys(given).length === 0) {
        throw new Problem('INVALID_REQUEST', 'Say which entries to delete: give at least one filter.');
      }
      const filter = { kind: kinds.semantic, ...toFilter(given) };
      return { body: { deleted_count: await forgetMatching(engine, caller, filter) } };
    },
  }),
  defineRoute({
    operation: 'semantic.byExternalId',
    method: 'GET',
    path: '/v1/memory/semantic/by-external-id',
    summary: 'Read the entry with an external id: a private one of the user, or a public one of the tenant.',
    access: 'user',
    request: { query: externalIdQuery },
    responses: { 200: { description: 'The entry', schema: SemanticEntry } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, query }) {
      const memory = await getByExternalId(engine, caller, toKey(query));
      if (memory === undefined) throw noSuchEntry();
      return { body: toSemanticEntry(caller.tenantId, memory) };
    },
  }),
  defineRoute({
    operation: 'semantic.deleteByExternalId',
    method: 'DELETE',
    path: '/v1/memory/semantic/by-external-id',
    summary: 'Delete the entry of the user with an external id.',
    access: 'user',
    request: { query: externalIdQuery },
    responses: { 204: { description: 'Deleted' } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, query }) {
      if ((await forgetByExternalId(engine, caller, toKey(query))) === undefined) throw noSuchEntry();
      return {};
    },
  }),
  defineRoute({
    operation: 'semantic.get',
    method: 'GET',
    path: '/v1/memory/semantic/{id}',
    summary: 'Read an entry of the user, or a public entry of the tenant.',
    access: 'user',
    request: { params: idParams, query: userQuery },
    responses: { 200: { description: 'The entry', schema: SemanticEntry } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const memory = await getMemory(engine, caller, params.id);
      if (memory?.kind !== kinds.semantic) throw noSuchEntry();
      return { body: toSemanticEntry(caller.tenantId, memory) };
    },
  }),
  defineRoute({
    operation: 'semantic.delete',
    method: 'DELETE',
    path: '/v1/memory/semantic/{id}',
    summary: 'Delete an entry of the user.',
    access: 'user',
    request: { params: idParams, query: userQuery },
    responses: { 204: { description: 'Deleted' } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const forgotten = await forgetMemories(engine, caller, [params.id], { kind: kinds.semantic });
      if (forgotten.length === 0) throw noSuchEntry();
      return {};
    },
  }),
];

async function query(engine: Engine, caller: Caller, body: Query): Promise<RouteReply> {
  const results = await recall(engine, caller, {
    text: body.query,
    embedding: body.query_embedding,
    scope: { own: true, public: body.include_public },
    filter: { kinds: [kinds.semantic], ...toFilter(body.filters ?? {}) },
    limit: body.top_k,
  });
  return { body: toScored(results, (memory) => toSemanticEntry(caller.tenantId, memory)) };
}

function tagsOf(tag: string | undefined): { tags?: string[] } {
  return tag === undefined ? {} : { tags: [tag] };
}

function toKey({ external_id, is_public }: Static<typeof externalIdQuery>): ExternalKey {
  return { kind: kinds.semantic, visibility: is_public ? 'public' : 'private', externalId: external_id };
}

function toFilter(filters: NonNullable<Query['filters']>): MemoryFilter {
  const after = toMoment('created_after', filters.created_after);
  return {
    tags: filters.tags,
    source: filters.source,
    planId: filters.plan_id,
    sessionIds: filters.session_id === undefined ? undefined : [filters.session_id],
    metadata: filters.metadata,
    createdFrom: after && new Date(after.getTime() + 1),
    createdTo: toMoment('created_before', filters.created_before),
  };
}

function noSuchEntry(): Problem {
  return new Problem('NOT_FOUND', 'The entry does not exist, or the token gives no access to it.');
}
