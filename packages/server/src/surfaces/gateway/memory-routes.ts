import { Problem } from '@memhall/core';
import { forgetOwn, overrideOwn } from '../../engine/one-memory/own-memories.js';
import { recallInScopes } from '../../engine/one-memory/recall-in-scopes.js';
import { toMoment } from '../../http/moment.js';
import { defineRoute } from '../../http/route.js';
import { toIncomplete } from '../../http/wire-schemas.js';
import { Deleted, deleteBody, overrideBody, Result, Results, type SearchBody, searchBody } from './gateway-schemas.js';
import type { GatewayServices } from './gateway-services.js';
import { toPlace } from './to-place.js';
import { ownScope, toResult } from './to-result.js';

const arms = { hybrid: 'both', keyword: 'lexical', vector: 'dense' } as const;

export const memoryRoutes = [
  defineRoute({
    operation: 'gateway.search',
    method: 'POST',
    path: '/memories/search',
    summary: 'Search the current chat, the resources of the user, or all memory of the user.',
    access: 'key',
    request: { body: searchBody },
    responses: {
      200: { description: 'Best match first. Texts that a model must not read are left out.', schema: Results },
    },
    async handle({ engine }: GatewayServices, { caller, body }) {
      const { conversation_id: conversationId } = body;
      const found = await recallInScopes(engine, caller, {
        text: body.query,
        scopes: body.scope,
        chat: conversationId === undefined ? undefined : toPlace(`chat:${conversationId}`, body),
        arms: arms[body.method],
        filter: toFilter(body.filters ?? {}),
        limit: body.top_k,
        minScore: body.radius,
      });
      return { body: { results: found.results.map((one) => toResult(caller, one)), ...toIncomplete(found) } };
    },
  }),
  defineRoute({
    operation: 'gateway.override',
    method: 'POST',
    path: '/memories/override',
    summary: 'Replace the content of a memory of the user.',
    access: 'key',
    request: { body: overrideBody },
    responses: { 200: { description: 'The changed memory', schema: Result } },
    problems: ['NOT_FOUND', 'CONFLICT'],
    async handle({ engine }: GatewayServices, { caller, body }) {
      const memory = await overrideOwn(engine, caller, body.id, body.content);
      if (memory === undefined) throw new Problem('NOT_FOUND', 'The memory does not exist.');
      return { body: toResult(caller, { memory, score: 1, scope: ownScope(memory) }) };
    },
  }),
  defineRoute({
    operation: 'gateway.delete',
    method: 'POST',
    path: '/memories/delete',
    summary: 'Delete a memory of the user permanently.',
    access: 'key',
    request: { body: deleteBody },
    responses: { 200: { description: '1 if it was deleted, 0 if it did not exist', schema: Deleted } },
    problems: ['CONFLICT'],
    async handle({ engine }: GatewayServices, { caller, body }) {
      return { body: { deleted: (await forgetOwn(engine, caller, body.id)) ? 1 : 0 } };
    },
  }),
];

type Filters = NonNullable<SearchBody['filters']>;

function toFilter({ session_id, sender_id, role, from, to }: Filters) {
  return {
    sessionIds: session_id === undefined ? undefined : [session_id],
    source: sender_id,
    role,
    occurredFrom: toDate('filters.from', from),
    occurredTo: toDate('filters.to', to),
  };
}

function toDate(name: string, when: number | string | undefined): Date | undefined {
  return typeof when === 'number' ? new Date(when) : toMoment(name, when);
}
