import { Problem } from '@memhall/core';
import { type Static, Type } from 'typebox';
import type { Engine } from '../../engine/engine.js';
import { learner } from '../../engine/facts/learn-facts.js';
import { forgetMatching } from '../../engine/memories/forget-matching.js';
import { forgetMemories } from '../../engine/memories/forget-memories.js';
import { getMemory } from '../../engine/memories/get-memory.js';
import type { NewMemory } from '../../engine/memories/new-memory.js';
import { recall } from '../../engine/memories/recall/recall.js';
import { recentMemories } from '../../engine/memories/recent-memories.js';
import { rememberMany } from '../../engine/memories/remember.js';
import { toMoment } from '../../http/moment.js';
import { defineRoute } from '../../http/route.js';
import { eitherBy } from '../../http/wire-schemas.js';
import {
  EpisodicEntries,
  EpisodicEntry,
  EpisodicForgotten,
  episodicBatchBody,
  episodicBody,
  episodicRecentQuery,
  episodicSearchQuery,
  episodicSessionQuery,
  idParams,
} from './memory-schemas.js';
import { kinds, toEntries, toEntryPage, toEpisodicEntry, toScored } from './to-memory-entry.js';
import { userQuery } from './working-schemas.js';

type Interaction = Omit<Static<typeof episodicBody>, 'user_id'>;

export const episodicRoutes = [
  defineRoute({
    operation: 'episodic.log',
    method: 'POST',
    path: '/v1/memory/episodic',
    summary: 'Log an interaction, or up to 500 in one transaction. Secrets are replaced by [REDACTED:LABEL].',
    access: 'user',
    request: { body: eitherBy('entries', episodicBatchBody, episodicBody) },
    responses: {
      201: {
        description: 'The entry, or the entries in the order of the request',
        schema: Type.Union([EpisodicEntry, EpisodicEntries]),
      },
    },
    async handle(engine: Engine, { caller, body }) {
      const batch = 'entries' in body ? body.entries : [body];
      const stored = await rememberMany(engine, caller, batch.map(toNewMemory), {
        follows: learner(engine, caller),
      });
      const entries = toEntries(
        stored.map(({ memory }) => memory),
        toEpisodicEntry,
      );
      return { body: 'entries' in body ? entries : entries.entries[0] };
    },
  }),
  defineRoute({
    operation: 'episodic.recent',
    method: 'GET',
    path: '/v1/memory/episodic/recent',
    summary: 'List the interactions of an agent, newest first, one page at a time.',
    access: 'user',
    request: { query: episodicRecentQuery },
    responses: { 200: { description: 'Newest first', schema: EpisodicEntries } },
    async handle(engine: Engine, { caller, query }) {
      const sessionIds = query.session_id === undefined ? undefined : [query.session_id];
      const filter = { kind: kinds.episodic, agentId: query.agent_id, sessionIds };
      return { body: toEntryPage(await recentMemories(engine, caller, filter, query), toEpisodicEntry) };
    },
  }),
  defineRoute({
    operation: 'episodic.search',
    method: 'GET',
    path: '/v1/memory/episodic/search',
    summary: 'Search the interactions of an agent by words and meaning.',
    access: 'user',
    request: { query: episodicSearchQuery },
    responses: { 200: { description: 'Best match first', schema: EpisodicEntries } },
    async handle(engine: Engine, { caller, query }) {
      const filter = { kinds: [kinds.episodic], agentId: query.agent_id };
      const results = await recall(engine, caller, { text: query.q, scope: { own: true }, filter, limit: query.limit });
      return { body: toScored(results, toEpisodicEntry) };
    },
  }),
  defineRoute({
    operation: 'episodic.forgetSession',
    method: 'DELETE',
    path: '/v1/memory/episodic',
    summary: 'Delete all interactions of an agent in a session, in one transaction.',
    access: 'user',
    request: { query: episodicSessionQuery },
    responses: { 200: { description: 'The number of deleted interactions', schema: EpisodicForgotten } },
    async handle(engine: Engine, { caller, query }) {
      const { agent_id, session_id } = query;
      const filter = { kind: kinds.episodic, agentId: agent_id, sessionIds: [session_id] };
      return { body: { deleted_count: await forgetMatching(engine, caller, filter), session_id } };
    },
  }),
  defineRoute({
    operation: 'episodic.get',
    method: 'GET',
    path: '/v1/memory/episodic/{id}',
    summary: 'Read an interaction.',
    access: 'user',
    request: { params: idParams, query: userQuery },
    responses: { 200: { description: 'The interaction', schema: EpisodicEntry } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const memory = await getMemory(engine, caller, params.id);
      if (memory?.kind !== kinds.episodic) throw noSuchInteraction();
      return { body: toEpisodicEntry(memory) };
    },
  }),
  defineRoute({
    operation: 'episodic.delete',
    method: 'DELETE',
    path: '/v1/memory/episodic/{id}',
    summary: 'Delete an interaction.',
    access: 'user',
    request: { params: idParams, query: userQuery },
    responses: { 204: { description: 'Deleted' } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const forgotten = await forgetMemories(engine, caller, [params.id], { kind: kinds.episodic });
      if (forgotten.length === 0) throw noSuchInteraction();
      return {};
    },
  }),
];

function noSuchInteraction(): Problem {
  return new Problem('NOT_FOUND', 'The interaction does not exist, or the token gives no access to it.');
}

function toNewMemory(entry: Interaction): NewMemory {
  return {
    content: entry.content,
    kind: kinds.episodic,
    agentId: entry.agent_id,
    role: entry.role,
    sessionId: entry.session_id,
    metadata: entry.metadata,
    occurredAt: toMoment('occurred_at', entry.occurred_at),
  };
}
