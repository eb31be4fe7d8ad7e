import { formatPointer } from '@memhall/core';
import { Type } from 'typebox';
import { type AssembledContext, assembleContext } from '../../engine/context/assemble-context.js';
import { contextMemories } from '../../engine/context/context-memories.js';
import type { Engine } from '../../engine/engine.js';
import { memoryLimits } from '../../engine/memories/memory-input.js';
import { toMember } from '../../engine/one-memory/member.js';
import { noClaims } from '../../engine/one-memory/namespace-grants.js';
import type { AnyRecalled } from '../../engine/one-memory/recall-any.js';
import { currencyFields, earlierOf, timeFields, toCurrency, toTimes } from '../../http/currency.js';
import { defineRoute } from '../../http/route.js';
import { Id, incomplete, Timestamp, toIncomplete } from '../../http/wire-schemas.js';
import { DocumentEnvelope, StaleFacts, userOnlyParams } from './document-schemas.js';
import { toDocumentAnswer, toStale } from './to-document.js';

const closed = { additionalProperties: false };

const contextBody = Type.Object(
  {
    profile_id: Id,
    conversation_hint: Type.Optional(
      Type.Object(
        {
          text: Type.Optional(Type.Union([Type.String({ maxLength: 20_000 }), Type.Null()])),
          project_id: Type.Optional(Type.Union([Type.String({ maxLength: 256 }), Type.Null()])),
        },
        { ...closed, description: 'Topic of the conversation, as far as it is known' },
      ),
    ),
    variables: Type.Record(Type.String({ pattern: '^\\w{1,64}$' }), Type.String({ minLength: 1, maxLength: 256 }), {
      ...closed,
      maxProperties: 20,
      default: {},
      description: 'Values for the variables of path templates, such as `{team_id}`. The project is given in the hint.',
    }),
    ...timeFields,
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: memoryLimits.queryCharacters,
        description: 'Adds what the memory knows about this besides the documents',
      }),
    ),
    token_budget: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 2000,
      description: 'For the texts of these memories: 4 characters a token. No text is cut.',
    }),
    max_docs: Type.Integer({ minimum: 1, maximum: 100, default: 4 }),
    max_chars_total: Type.Integer({ minimum: 1, maximum: 10_000_000, default: 30_000 }),
    debug: Type.Boolean({ default: false }),
  },
  closed,
);

const Context = Type.Object(
  {
    selected_project_id: Type.Union([Type.String(), Type.Null()]),
    documents: Type.Array(
      Type.Object({
        binding_id: Id,
        namespace: Id,
        path: Type.String(),
        etag: Type.String(),
        document: DocumentEnvelope,
        migrated_from: Type.Optional(Type.String()),
        withheld_entries: Type.Optional(
          Type.Integer({ description: 'Number of entries that are shown as `[BLOCKED: …]`; absent if there are none' }),
        ),
        stale: StaleFacts,
        classifications: Type.Optional(
          Type.Array(Type.Object({ path: Type.String(), classification: Type.String() }), {
            description: 'Paths that contain guidance from the user rather than facts',
          }),
        ),
      }),
      { description: 'Ordered by priority' },
    ),
    dropped_bindings: Type.Array(
      Type.Object({
        binding_id: Id,
        reason: Type.Enum(['max_docs', 'max_chars_total', 'missing', 'blocked']),
        missing_variables: Type.Optional(
          Type.Array(Type.String(), { description: 'Variables of the path that `variables` has no value for' }),
        ),
      }),
    ),
    memories: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String({ description: 'Cite it by this id' }),
          text: Type.String(),
          kind: Type.String(),
          score: Type.Number(),
          occurred_at: Timestamp,
          author: Type.String({ description: 'The user who wrote it, else the service; empty if nobody is known' }),
          own: Type.Boolean({
            description: 'Whether it is in the memory of the user. Also true for what a service stored there',
          }),
          trust: Type.String(),
          ...currencyFields,
        }),
        { description: 'Present if a query was given, best match first' },
      ),
    ),
    incomplete,
    routing_debug: Type.Optional(
      Type.Object({
        reason: Type.String(),
        deterministic_score: Type.Number(),
        semantic_score: Type.Union([Type.Number(), Type.Null()]),
        candidates: Type.Array(Type.String()),
      }),
    ),
  },
  { title: 'Context' },
);

export const contextRoutes = [
  defineRoute({
    operation: 'context.assemble',
    method: 'POST',
    path: '/v1/tenants/{tenant_id}/users/{user_id}/context:assemble',
    summary: 'Assemble the documents that an agent needs for a conversation, within a budget.',
    access: 'user',
    request: { params: userOnlyParams, body: contextBody },
    responses: { 200: { description: 'The selected documents, and the bindings that were dropped', schema: Context } },
    problems: ['PROFILE_NOT_FOUND', 'INVALID_PATH'],
    async handle(engine: Engine, { caller, identity, body }) {
      const member = toMember(caller, identity?.claims ?? noClaims);
      const times = toTimes(body);
      const context = await assembleContext(engine, caller, {
        workspaceId: member.tiers.workspaceId,
        profileId: body.profile_id,
        hint: body.conversation_hint?.text ?? undefined,
        projectId: body.conversation_hint?.project_id ?? undefined,
        variables: body.variables,
        maxDocuments: body.max_docs,
        maxCharacters: body.max_chars_total,
        at: earlierOf(times.asOf, times.knownAt),
      });
      const asked = body.query && { query: body.query, tokenBudget: body.token_budget, ...times };
      const found = asked && (await contextMemories(engine, member, asked));
      const memories = found && { memories: found.results.map(toCited), ...toIncomplete(found) };
      const debug = body.debug ? { routing_debug: toDebug(context) } : {};
      return { body: { ...toContext(context), ...memories, ...debug } };
    },
  }),
];

function toContext({ routing, documents, dropped }: AssembledContext) {
  return {
    selected_project_id: routing.projectId,
    documents: documents.map((document) => {
      const { binding, namespace, path, migratedFrom, withheldEntries, staleFacts } = document;
      const classifications = binding.writable.flatMap(({ segments, classification }) =>
        classification === null ? [] : [{ path: formatPointer(segments), classification }],
      );
      return {
        binding_id: binding.bindingId,
        namespace,
        path,
        ...toDocumentAnswer(document),
        ...(migratedFrom === null ? {} : { migrated_from: migratedFrom }),
        ...(withheldEntries === 0 ? {} : { withheld_entries: withheldEntries }),
        ...toStale(staleFacts),
        ...(classifications.length === 0 ? {} : { classifications }),
      };
    }),
    dropped_bindings: dropped.map(({ bindingId, reason, missingVariables }) => ({
      binding_id: bindingId,
      reason,
      ...(missingVariables === undefined ? {} : { missing_variables: missingVariables }),
    })),
  };
}

function toCited({ memory, score, isOwn, truth }: AnyRecalled) {
  const { id, content, kind, occurredAt, author, trust } = memory;
  const at = occurredAt.toISOString();
  return { id, text: content, kind, score, occurred_at: at, author, own: isOwn, trust, ...toCurrency(truth) };
}

function toDebug({ routing }: AssembledContext) {
  return {
    reason: routing.reason,
    deterministic_score: routing.deterministicScore,
    semantic_score: routing.semanticScore,
    candidates: routing.candidates.map(({ projectId }) => projectId),
  };
}
