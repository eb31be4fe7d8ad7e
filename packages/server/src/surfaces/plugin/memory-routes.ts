import { type Json, Problem } from '@memhall/core';
import { browseMemories } from '../../engine/memories/browse-memories.js';
import { findAnywhere } from '../../engine/memories/find-anywhere.js';
import { forgetMemories } from '../../engine/memories/forget-memories.js';
import { getNamespaces } from '../../engine/memories/namespaces.js';
import { recall } from '../../engine/memories/recall/recall.js';
import { remember } from '../../engine/memories/remember.js';
import { toMoment } from '../../http/moment.js';
import { defineRoute } from '../../http/route.js';
import {
  Found,
  forgetBody,
  forgetParams,
  memoryBody,
  namespaceParams,
  type SearchRequest,
  searchBody,
  Written,
} from './plugin-schemas.js';
import { callerFor, type PluginServices } from './plugin-services.js';
import { toPluginMemory } from './to-plugin-memory.js';

export const memoryRoutes = [
  defineRoute({
    operation: 'plugin.commit',
    method: 'POST',
    path: '/v1/namespaces/{name}/memories',
    summary: 'Store a memory in a namespace; with an id, in place of the one that has it',
    access: 'open',
    request: { params: namespaceParams, body: memoryBody },
    responses: { 201: { description: 'Stored', schema: Written } },
    problems: ['NOT_FOUND', 'FORBIDDEN'],
    async handle(services: PluginServices, { params: { name }, body }) {
      const caller = callerFor(services, 'plugin.commit', [name]);
      const id = body.id?.toLowerCase();
      if (id !== undefined) await checkPlace(services, id, name);
      const { memory } = await inTermsOfContract(
        remember(services.engine, caller, {
          id,
          content: body.content,
          kind: body.kind,
          source: body.source,
          visibility: { namespace: name },
          isPinned: body.pin ?? false,
          expiresAt: toMoment('expires_at', body.expires_at ?? undefined),
          propagation: (body.propagation as Json | undefined) ?? undefined,
          embedding: body.embedding,
        }),
      );
      return { body: { id: memory.id, namespace: name } };
    },
  }),
  defineRoute({
    operation: 'plugin.search',
    method: 'POST',
    path: '/v1/search',
    summary: 'Find memories of namespaces by words, by meaning, or both; without either, pinned and newest first',
    access: 'open',
    request: { body: searchBody },
    responses: { 200: { description: 'Best first', schema: Found } },
    async handle(services: PluginServices, { body }) {
      return { body: { memories: await search(services, body) } };
    },
  }),
  defineRoute({
    operation: 'plugin.forget',
    method: 'DELETE',
    path: '/v1/memories/{id}',
    summary: 'Delete a memory of a namespace',
    access: 'open',
    request: { params: forgetParams, body: forgetBody },
    responses: { 204: { description: 'Deleted' } },
    problems: ['NOT_FOUND', 'FORBIDDEN'],
    async handle(services: PluginServices, { params, body: { requested_by_namespace: name } }) {
      const id = params.id.toLowerCase();
      await checkPlace(services, id, name);
      const forgotten = await forgetMemories(services.engine, callerFor(services, 'plugin.forget', [name]), [id]);
      if (forgotten.length === 0) throw new Problem('NOT_FOUND', 'There is no such memory.');
      return {};
    },
  }),
];

/** Throws FORBIDDEN when a memory with this id lives in another namespace. */
async function checkPlace({ engine, tenantId }: PluginServices, id: string, name: string): Promise<void> {
  const memory = await findAnywhere(engine, tenantId, id);
  if (memory?.partition.kind === 'namespace' && memory.partition.name !== name) {
    throw livesElsewhere();
  }
}

function livesElsewhere(): Problem {
  return new Problem('FORBIDDEN', 'The memory with this id lives in another namespace.');
}

async function search(services: PluginServices, { namespaces, query, kinds, limit, embedding }: SearchRequest) {
  const { engine } = services;
  const caller = callerFor(services, 'plugin.search', [...new Set(namespaces)]);
  const present = (await getNamespaces(engine, caller, namespaces)).map(({ name }) => name);
  if (present.length === 0) return [];
  const scope = { namespaces: present };
  const filter = { kinds: kinds === undefined || kinds.length === 0 ? undefined : kinds };
  const text = query !== undefined && query.trim() !== '' ? query : undefined;
  if (text === undefined && embedding === undefined) {
    const memories = await browseMemories(engine, caller, { scope, filter, limit });
    return memories.map((memory) => toPluginMemory(memory));
  }
  const question = { text, embedding, scope, filter, limit, pinnedFirst: true };
  const found = await inTermsOfContract(recall(engine, caller, question));
  return found.map(({ memory, score }) => toPluginMemory(memory, score));
}

/** This contract knows no 422, and no 409: an id that is taken is taken by another namespace, which was just faster. */
async function inTermsOfContract<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem && error.code === 'CONFLICT') throw livesElsewhere();
    if (!(error instanceof Problem && error.status === 422)) throw error;
    throw new Problem('INVALID_REQUEST', error.message, error.details === undefined ? {} : { details: error.details });
  }
}
