import { formatPointer } from '@memhall/core';
import { Type } from 'typebox';
import { type AssembledContext, assembleContext } from '../../engine/context/assemble-context.js';
import type { Engine } from '../../engine/engine.js';
import { workspaceFor } from '../../http/permission.js';
import { defineRoute } from '../../http/route.js';
import { Id } from '../../http/wire-schemas.js';
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
      const context = await assembleContext(engine, caller, {
        workspaceId: identity && workspaceFor(identity, caller.userId),
        profileId: body.profile_id,
        hint: body.conversation_hint?.text ?? undefined,
        projectId: body.conversation_hint?.project_id ?? undefined,
        variables: body.variables,
        maxDocuments: body.max_docs,
        maxCharacters: body.max_chars_total,
      });
      return { body: { ...toContext(context), ...(body.debug ? { routing_debug: toDebug(context) } : {}) } };
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

function toDebug({ routing }: AssembledContext) {
  return {
    reason: routing.reason,
    deterministic_score: routing.deterministicScore,
    semantic_score: routing.semanticScore,
    candidates: routing.candidates.map(({ projectId }) => projectId),
  };
}
