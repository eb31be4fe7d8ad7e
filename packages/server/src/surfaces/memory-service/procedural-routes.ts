import { Problem } from '@memhall/core';
import type { Engine } from '../../engine/engine.js';
import { forgetMatching } from '../../engine/memories/forget-matching.js';
import { forgetMemories } from '../../engine/memories/forget-memories.js';
import { getMemory } from '../../engine/memories/get-memory.js';
import { listMemories } from '../../engine/memories/list-memories.js';
import { recall } from '../../engine/memories/recall/recall.js';
import { remember } from '../../engine/memories/remember.js';
import { defineRoute } from '../../http/route.js';
import {
  EntriesDeleted,
  idParams,
  ProceduralEntries,
  ProceduralEntry,
  proceduralBody,
  proceduralContextQuery,
  proceduralDeleteQuery,
  proceduralListQuery,
} from './memory-schemas.js';
import { kinds, toEntryPage, toProceduralEntry, toScored } from './to-memory-entry.js';
import { userQuery } from './working-schemas.js';

export const proceduralRoutes = [
  defineRoute({
    operation: 'procedural.store',
    method: 'POST',
    path: '/v1/memory/procedural',
    summary: 'Store a procedure: a system prompt, an example or a skill.',
    access: 'user',
    request: { body: proceduralBody },
    responses: { 201: { description: 'The procedure', schema: ProceduralEntry } },
    async handle(engine: Engine, { caller, body }) {
      const { memory } = await remember(engine, caller, {
        content: body.content,
        kind: kinds.procedural,
        cue: body.trigger_condition,
        role: body.procedure_type,
        agentId: body.agent_id,
        metadata: body.metadata,
      });
      return { body: toProceduralEntry(memory) };
    },
  }),
  defineRoute({
    operation: 'procedural.list',
    method: 'GET',
    path: '/v1/memory/procedural',
    summary: 'List procedures, newest first.',
    access: 'user',
    request: { query: proceduralListQuery },
    responses: { 200: { description: 'One page of procedures', schema: ProceduralEntries } },
    async handle(engine: Engine, { caller, query }) {
      const { limit, cursor, agent_id, procedure_type } = query;
      const filter = { kinds: [kinds.procedural], agentId: agent_id, role: procedure_type };
      const page = await listMemories(engine, caller, { scope: { own: true }, filter, limit, cursor });
      return { body: toEntryPage(page, toProceduralEntry) };
    },
  }),
  defineRoute({
    operation: 'procedural.deleteMany',
    method: 'DELETE',
    path: '/v1/memory/procedural',
    summary: 'Delete the procedures of an agent, in one transaction.',
    access: 'user',
    request: { query: proceduralDeleteQuery },
    responses: { 200: { description: 'The number of deleted procedures', schema: EntriesDeleted } },
    async handle(engine: Engine, { caller, query }) {
      const filter = { kind: kinds.procedural, agentId: query.agent_id, role: query.procedure_type };
      return { body: { deleted_count: await forgetMatching(engine, caller, filter) } };
    },
  }),
  defineRoute({
    operation: 'procedural.context',
    method: 'GET',
    path: '/v1/memory/procedural/context',
    summary: 'Find procedures for the current task of an agent, matched by trigger and content.',
    access: 'user',
    request: { query: proceduralContextQuery },
    responses: { 200: { description: 'Best match first', schema: ProceduralEntries } },
    async handle(engine: Engine, { caller, query }) {
      const filter = { kinds: [kinds.procedural], agentId: query.agent_id };
      const results = await recall(engine, caller, { text: query.q, scope: { own: true }, filter, limit: query.limit });
      return { body: toScored(results, toProceduralEntry) };
    },
  }),
  defineRoute({
    operation: 'procedural.get',
    method: 'GET',
    path: '/v1/memory/procedural/{id}',
    summary: 'Read a procedure.',
    access: 'user',
    request: { params: idParams, query: userQuery },
    responses: { 200: { description: 'The procedure', schema: ProceduralEntry } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const memory = await getMemory(engine, caller, params.id);
      if (memory?.kind !== kinds.procedural) throw noSuchProcedure();
      return { body: toProceduralEntry(memory) };
    },
  }),
  defineRoute({
    operation: 'procedural.delete',
    method: 'DELETE',
    path: '/v1/memory/procedural/{id}',
    summary: 'Delete a procedure.',
    access: 'user',
    request: { params: idParams, query: userQuery },
    responses: { 204: { description: 'Deleted' } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const forgotten = await forgetMemories(engine, caller, [params.id], { kind: kinds.procedural });
      if (forgotten.length === 0) throw noSuchProcedure();
      return {};
    },
  }),
];

function noSuchProcedure(): Problem {
  return new Problem('NOT_FOUND', 'The procedure does not exist, or the token gives no access to it.');
}
