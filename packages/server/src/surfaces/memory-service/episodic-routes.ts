import { type Static, Type } from 'typebox';
import type { Engine } from '../../engine/engine.js';
import { forgetSession } from '../../engine/memories/forget-session.js';
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
} from './memory-schemas.js';
import { kinds, toEntries, toEpisodicEntry, toScored } from './to-memory-entry.js';

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
      const stored = await rememberMany(engine, caller, batch.map(toNewMemory));
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
    summary: 'List the latest interactions of an agent, newest first.',
    access: 'user',
    request: { query: episodicRecentQuery },
    responses: { 200: { description: 'Newest first', schema: EpisodicEntries } },
    async handle(engine: Engine, { caller, query }) {
      const sessionIds = query.session_id === undefined ? undefined : [query.session_id];
      const filter = { kind: kinds.episodic, agentId: query.agent_id, sessionIds };
      return { body: toEntries(await recentMemories(engine, caller, filter, query.limit), toEpisodicEntry) };
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
      const place = { kind: kinds.episodic, agentId: agent_id, sessionId: session_id };
      return { body: { deleted_count: await forgetSession(engine, caller, place), session_id } };
    },
  }),
];

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
