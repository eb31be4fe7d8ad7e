import { Problem } from '@memhall/core';
import { forgetOwn, overrideOwn } from '../../engine/conversations/own-memories.js';
import { recallInScopes } from '../../engine/conversations/recall-in-scopes.js';
import { toMoment } from '../../http/moment.js';
import { defineRoute } from '../../http/route.js';
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
    summary: 'Find what fits in the current chat, in the user’s resources, or in all the user’s memory',
    access: 'key',
    request: { body: searchBody },
    responses: { 200: { description: 'Best first, without what a model should not read', schema: Results } },
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
      return { body: { results: found.map((one) => toResult(caller, one)) } };
    },
  }),
  defineRoute({
    operation: 'gateway.override',
    method: 'POST',
    path: '/memories/override',
    summary: 'Give a memory of the user another content',
    access: 'key',
    request: { body: overrideBody },
    responses: { 200: { description: 'The memory as it is now', schema: Result } },
    problems: ['NOT_FOUND', 'CONFLICT'],
    async handle({ engine }: GatewayServices, { caller, body }) {
      const memory = await overrideOwn(engine, caller, body.id, body.content);
      if (memory === undefined) throw new Problem('NOT_FOUND', 'There is no such memory.');
      return { body: toResult(caller, { memory, score: 1, scope: ownScope(memory) }) };
    },
  }),
  defineRoute({
    operation: 'gateway.delete',
    method: 'POST',
    path: '/memories/delete',
    summary: 'Remove a memory of the user for good',
    access: 'key',
    request: { body: deleteBody },
    responses: { 200: { description: 'Whether there was one', schema: Deleted } },
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
