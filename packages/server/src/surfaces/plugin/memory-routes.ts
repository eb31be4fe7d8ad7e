import type { Json } from '@memhall/core';
import { toMoment } from '../../http/moment.js';
import { defineRoute } from '../../http/route.js';
import { Found, forgetBody, forgetParams, memoryBody, namespaceParams, searchBody, Written } from './plugin-schemas.js';
import { callFor, type PluginServices } from './plugin-services.js';
import { toPluginMemory } from './to-plugin-memory.js';

export const memoryRoutes = [
  defineRoute({
    operation: 'plugin.commit',
    method: 'POST',
    path: '/v1/namespaces/{name}/memories',
    summary: 'Store a memory in a namespace. With an id, replaces the memory with that id.',
    access: 'open',
    request: { params: namespaceParams, body: memoryBody },
    responses: { 201: { description: 'Stored', schema: Written } },
    problems: ['NOT_FOUND', 'FORBIDDEN'],
    async handle(services: PluginServices, { params: { name }, body, ...request }) {
      const id = await services.plugin.commit(callFor(services, 'plugin.commit', request), name, {
        id: body.id,
        content: body.content,
        kind: body.kind,
        source: body.source,
        isPinned: body.pin ?? false,
        expiresAt: toMoment('expires_at', body.expires_at ?? undefined),
        propagation: (body.propagation as Json | undefined) ?? undefined,
        embedding: body.embedding,
      });
      return { body: { id, namespace: name } };
    },
  }),
  defineRoute({
    operation: 'plugin.search',
    method: 'POST',
    path: '/v1/search',
    summary:
      'Search memories in namespaces by words, by meaning, or both. Without a query and an embedding, lists pinned and newest first.',
    access: 'open',
    request: { body: searchBody },
    responses: { 200: { description: 'Best match first', schema: Found } },
    async handle(services: PluginServices, { body }) {
      const found = await services.plugin.search(callFor(services, 'plugin.search'), body);
      return { body: { memories: found.map(toPluginMemory) } };
    },
  }),
  defineRoute({
    operation: 'plugin.forget',
    method: 'DELETE',
    path: '/v1/memories/{id}',
    summary: 'Delete a memory from a namespace.',
    access: 'open',
    request: { params: forgetParams, body: forgetBody },
    responses: { 204: { description: 'Deleted' } },
    problems: ['NOT_FOUND', 'FORBIDDEN'],
    async handle(services: PluginServices, { params, body: { requested_by_namespace: name } }) {
      await services.plugin.forget(callFor(services, 'plugin.forget'), params.id, name);
      return {};
    },
  }),
];
