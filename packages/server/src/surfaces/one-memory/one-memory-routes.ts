import { type Json, Problem } from '@memhall/core';
import { type Static, Type } from 'typebox';
import type { Engine } from '../../engine/engine.js';
import { historyOf } from '../../engine/history/memory-history.js';
import { payloadHash } from '../../engine/idempotency.js';
import type { NewMemory } from '../../engine/memories/new-memory.js';
import { forgetAny, updateAny } from '../../engine/one-memory/change-any.js';
import { etagOfMemory, getAny, listAny } from '../../engine/one-memory/find-any.js';
import { fitSessions, fitTokens } from '../../engine/one-memory/fit-tokens.js';
import type { AnyRecall } from '../../engine/one-memory/recall-any.js';
import { recallEverywhere, recallSessionsEverywhere } from '../../engine/one-memory/recall-everywhere.js';
import { rememberAny } from '../../engine/one-memory/remember-any.js';
import { whyRecalled } from '../../engine/one-memory/why-recalled.js';
import { toTimes } from '../../http/currency.js';
import { toMoment } from '../../http/moment.js';
import { toPrecondition } from '../../http/preconditions.js';
import { defineRoute } from '../../http/route.js';
import { startedStream } from '../../http/started-stream.js';
import { ifMatch, toIncomplete, toNextCursor } from '../../http/wire-schemas.js';
import type { MemoryFilter } from '../../ports/memories.js';
import { memberOf } from './member-of.js';
import {
  exportQuery,
  forgetQuery,
  getQuery,
  listQuery,
  MemoryPage,
  MemoryWithHistory,
  memoryParams,
  OneMemory,
  Remembered,
  Results,
  recallBody,
  rememberBody,
  rememberHeaders,
  updateBody,
  Why,
  whyBody,
} from './one-memory-schemas.js';
import { toAnyMemory, toHistoryEntry, toRecallResult, toSessionResult, toWhy } from './to-any-memory.js';
import { writeExport } from './write-export.js';

type Given = Exclude<Static<typeof rememberBody>, { memories: unknown }>;

const etagHeader = { etag: 'Strong ETag. Changes exactly when the memory changes.' };
const conditions = Type.Object({ 'if-match': ifMatch });
const armsOf = { both: 'both', words: 'lexical', meaning: 'dense' } as const;
const exportTypes = {
  jsonl: 'application/x-ndjson; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
};

export const oneMemoryRoutes = [
  defineRoute({
    operation: 'memory.remember',
    method: 'POST',
    path: '/v1/remember',
    summary: 'Remember one thing, or up to 500 at once.',
    description:
      'A memory of the same kind with the same external_id, or without one with the same content, is updated. Secrets are removed.',
    access: 'user',
    request: { body: rememberBody, headers: rememberHeaders },
    responses: {
      201: { description: 'At least one memory is new', schema: Remembered },
      200: { description: 'All of them existed and were updated', schema: Remembered },
    },
    problems: ['FORBIDDEN', 'IDEMPOTENCY_CONFLICT'],
    async handle(engine: Engine, request) {
      const { body, headers } = request;
      const { user_id: _, ...payload } = body;
      const given = 'memories' in body ? body.memories : [payload as Given];
      const key = headers['idempotency-key'];
      const idempotency =
        key === undefined ? null : { key, payloadHash: payloadHash(['remember', payload as unknown as Json]) };
      const stored = await rememberAny(engine, memberOf(request), given.map(toNewMemory), idempotency);
      const memories = stored.map(({ memory }) => toAnyMemory(memory));
      const status = stored.some(({ outcome }) => outcome === 'created') ? 201 : 200;
      return { status, body: 'memories' in body ? { memories } : { memory: memories[0] } };
    },
  }),
  defineRoute({
    operation: 'memory.recall',
    method: 'POST',
    path: '/v1/recall',
    summary: 'Recall over everything the caller may read, by words and meaning.',
    description:
      'Finds what was written through any surface. Several copies of one statement by the same author are one result; `also` lists the others. What facts say is no longer true is left out, unless the query asks about the past or about a change.',
    access: 'user',
    request: { body: recallBody },
    responses: { 200: { description: 'Best match first', schema: Results } },
    async handle(engine: Engine, request) {
      const { token_budget: budget, group_by: groupBy } = request.body;
      const member = memberOf(request);
      const input = toRecall(request.body);
      if (groupBy === 'session' && input.embedder === 'compared') {
        throw new Problem('INVALID_REQUEST', '`embedder: compared` ranks memories: leave out `group_by: session`.');
      }
      if (groupBy === 'memory') {
        const found = await recallEverywhere(engine, member, input);
        return { body: { results: fitTokens(found.results, budget).map(toRecallResult), ...toIncomplete(found) } };
      }
      const { sessions, isIncomplete } = await recallSessionsEverywhere(engine, member, input);
      const body = { results: fitSessions(sessions, budget).map(toSessionResult) };
      return { body: { ...body, ...toIncomplete({ isIncomplete, omitted: 0 }) } };
    },
  }),
  defineRoute({
    operation: 'memory.why',
    method: 'POST',
    path: '/v1/recall:why',
    summary: 'Say why a recall returns a memory, or what keeps it out.',
    description: 'Takes the body of the recall and the id of a memory, and recalls again.',
    access: 'user',
    request: { body: whyBody },
    responses: { 200: { description: 'The reason, and how the memory was ranked', schema: Why } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, request) {
      const { memory_id: id, token_budget: tokenBudget, group_by: groupBy, ...body } = request.body;
      const { explain: _, ...input } = toRecall(body);
      return { body: toWhy(await whyRecalled(engine, memberOf(request), id, { ...input, groupBy, tokenBudget })) };
    },
  }),
  defineRoute({
    operation: 'memory.list',
    method: 'GET',
    path: '/v1/memories',
    summary: 'List what the caller may read, newest first.',
    access: 'user',
    request: { query: listQuery },
    responses: { 200: { description: 'One page of memories', schema: MemoryPage } },
    async handle(engine: Engine, request) {
      const { limit, cursor, kind, namespace, tag, external_id: externalId, ...fields } = request.query;
      const filter = { ...toFilter({ ...fields, ...(tag === undefined ? {} : { tags: [tag] }) }), externalId };
      const kinds = kind === undefined ? {} : { kinds: [kind] };
      const namespaces = namespace === undefined ? undefined : [namespace];
      const page = { filter: { ...filter, ...kinds }, namespaces, limit, cursor };
      const { items, nextCursor } = await listAny(engine, memberOf(request), page);
      return { body: { memories: items.map(toAnyMemory), ...toNextCursor(nextCursor) } };
    },
  }),
  defineRoute({
    operation: 'memory.export',
    method: 'GET',
    path: '/v1/memories:export',
    summary: 'Export everything the user owns, as JSON Lines or as Markdown.',
    description:
      'Contains memories of every kind, notes the user wrote in the workspace, documents, facts and files with the pieces of their text, and nothing of others. The response is streamed; its last line says that it is complete. Leaves an audit record.',
    access: 'user',
    request: { query: exportQuery },
    responses: {
      200: { description: 'One JSON object per line, or text/markdown', contentType: 'application/x-ndjson' },
    },
    async handle(engine: Engine, request) {
      const { format } = request.query;
      const body = await startedStream(writeExport(engine, memberOf(request), format));
      return { headers: { 'content-type': exportTypes[format], 'content-disposition': 'attachment' }, body };
    },
  }),
  defineRoute({
    operation: 'memory.get',
    method: 'GET',
    path: '/v1/memories/{id}',
    summary: 'Read one memory, from any surface: where it comes from and who changed it.',
    access: 'user',
    request: { params: memoryParams, query: getQuery },
    responses: { 200: { description: 'The memory and its history', schema: MemoryWithHistory, headers: etagHeader } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, request) {
      const memory = await getAny(engine, memberOf(request), request.params.id);
      const history = await historyOf(engine, request.caller, memory);
      const { headers, body } = reply(memory);
      return { headers, body: { ...body, origin: body.memory.origin, history: history.map(toHistoryEntry) } };
    },
  }),
  defineRoute({
    operation: 'memory.update',
    method: 'PATCH',
    path: '/v1/memories/{id}',
    summary: 'Correct a memory, from any surface.',
    access: 'user',
    request: { params: memoryParams, headers: conditions, body: updateBody },
    responses: { 200: { description: 'The memory after the change', schema: OneMemory, headers: etagHeader } },
    problems: ['NOT_FOUND', 'MISSING_IF_MATCH', 'ETAG_MISMATCH', 'OWNED_BY_RECORD'],
    async handle(engine: Engine, request) {
      const { content, tags, metadata, pin: isPinned, expires_at: expiry } = request.body;
      const precondition = toPrecondition(request.headers);
      if (precondition.kind === 'none') {
        throw new Problem(
          'MISSING_IF_MATCH',
          'Send If-Match with the ETag you read, or If-Match: * to change it in any case.',
        );
      }
      const expiresAt = expiry === null ? null : toMoment('expires_at', expiry);
      const change = { content, tags, metadata: metadata as { [key: string]: Json } | undefined, isPinned, expiresAt };
      return reply(await updateAny(engine, memberOf(request), request.params.id, change, precondition));
    },
  }),
  defineRoute({
    operation: 'memory.forget',
    method: 'DELETE',
    path: '/v1/memories/{id}',
    summary: 'Forget a memory, from any surface, and what was derived from it alone.',
    access: 'user',
    request: { params: memoryParams, query: forgetQuery, headers: conditions },
    responses: { 204: { description: 'Forgotten' } },
    problems: ['NOT_FOUND', 'ETAG_MISMATCH', 'OWNED_BY_RECORD'],
    async handle(engine: Engine, request) {
      const options = { precondition: toPrecondition(request.headers), copies: request.query.copies };
      await forgetAny(engine, memberOf(request), request.params.id, options);
      return {};
    },
  }),
];

function reply(memory: Parameters<typeof toAnyMemory>[0]) {
  return { headers: { etag: `"${etagOfMemory(memory)}"` }, body: { memory: toAnyMemory(memory) } };
}

function toNewMemory(given: Given): NewMemory {
  return {
    content: given.content,
    kind: given.kind,
    externalId: given.external_id?.normalize('NFC'),
    tags: given.tags,
    metadata: given.metadata as { [key: string]: Json } | undefined,
    sessionId: given.session_id,
    role: given.role,
    occurredAt: toMoment('occurred_at', given.occurred_at),
    expiresAt: toMoment('expires_at', given.expires_at),
    isPinned: given.pin,
    uniqueContent: true,
    ...(given.namespace === undefined ? {} : { visibility: { namespace: given.namespace } }),
    trust: given.trust,
  };
}

function toRecall({
  query: text,
  limit,
  scopes,
  namespaces,
  explain,
  as_of,
  known_at,
  include_superseded: includeSuperseded,
  match,
  rerank,
  embedder,
  ...fields
}: Omit<Static<typeof recallBody>, 'group_by' | 'token_budget' | 'embedder'> & Pick<AnyRecall, 'embedder'>): AnyRecall {
  return {
    ...{ text, limit, scopes, namespaces, explain, includeSuperseded, rerank, embedder },
    arms: armsOf[match],
    ...toTimes({ as_of, known_at }),
    filter: toFilter(fields),
  };
}

interface FilterFields {
  kinds?: readonly string[];
  session_id?: string;
  tags?: readonly string[];
  from?: string;
  to?: string;
}

function toFilter({ kinds, session_id: sessionId, tags, from, to }: FilterFields): MemoryFilter {
  const until = toMoment('to', to);
  return {
    kinds,
    tags,
    sessionIds: sessionId === undefined ? undefined : [sessionId],
    occurredFrom: toMoment('from', from),
    occurredTo: until && new Date(until.getTime() + 1),
  };
}
