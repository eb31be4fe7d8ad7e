import { Problem } from '@memhall/core';
import { Type } from 'typebox';
import { getReplay } from '../../engine/conversations/replay-conversation.js';
import { takeSnapshot } from '../../engine/conversations/take-snapshot.js';
import { applyUnresolved, discardUnresolved, listUnresolved } from '../../engine/conversations/unresolved.js';
import type { Engine } from '../../engine/engine.js';
import { toMoment } from '../../http/moment.js';
import { defineRoute } from '../../http/route.js';
import { Id, Moment, nextCursor, pageQuery, Timestamp, toNextCursor } from '../../http/wire-schemas.js';
import type { Replay } from '../../ports/replays.js';
import { userOnlyParams, WriteAnswer } from './document-schemas.js';
import { serviceHeader, userParams, withService } from './shared-schemas.js';
import { toWriteReply } from './to-document.js';
import { toUnresolvedPatch } from './to-unresolved-patch.js';

const prefix = '/v1/tenants/{tenant_id}/users/{user_id}';
const closed = { additionalProperties: false };

const ConversationId = Type.String({ pattern: '^[A-Za-z0-9._:@-]{1,256}$' });
const Message = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 256 }),
    role: Type.Enum(['user', 'assistant', 'system', 'tool']),
    content: Type.String(),
    timestamp: Type.Optional(Moment),
  },
  closed,
);
const snapshotBody = Type.Object(
  {
    messages: Type.Array(Message, { minItems: 1, maxItems: 10_000, description: 'In chronological order' }),
    profile_id: Id,
    replay: Type.Boolean({ default: true, description: 'Whether to extract facts worth remembering' }),
  },
  closed,
);
const SnapshotTaken = Type.Object(
  { snapshot_id: Type.String(), snapshot_uri: Type.String(), replay_id: Type.Union([Type.String(), Type.Null()]) },
  { title: 'SnapshotTaken' },
);
const ReplayAnswer = Type.Object(
  {
    replay_id: Type.String(),
    status: Type.Enum(['queued', 'running', 'completed', 'failed']),
    conversation_id: Type.String(),
    snapshot_id: Type.String(),
    profile_id: Type.String(),
    attempts: Type.Integer(),
    outcome: Type.Unknown({
      description: 'Once completed: the event with the digest, and the number of facts and patches',
    }),
    error: Type.Union([Type.String(), Type.Null()]),
    created_at: Timestamp,
    updated_at: Timestamp,
    finished_at: Type.Union([Timestamp, Type.Null()]),
  },
  { title: 'Replay' },
);
const UnresolvedAnswer = Type.Object(
  {
    patch_id: Type.String(),
    replay_id: Type.String(),
    profile_id: Type.String(),
    binding_id: Type.String(),
    namespace: Type.String(),
    path: Type.String(),
    ops: Type.Array(Type.Unknown()),
    confidence: Type.Number(),
    evidence: Type.Unknown(),
    status: Type.Enum(['waiting', 'review'], {
      description: 'waiting: retried automatically; review: needs a decision',
    }),
    attempts: Type.Integer(),
    problem: Type.Object({ code: Type.String(), message: Type.String() }),
    next_attempt_at: Type.Union([Timestamp, Type.Null()]),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'UnresolvedPatch' },
);
const patchParams = Type.Object({ ...userParams, patch_id: Id });

export const conversationRoutes = [
  defineRoute({
    operation: 'conversations.snapshot',
    method: 'POST',
    path: `${prefix}/conversations/{conversation_id}/snapshots`,
    summary: 'Store an encrypted snapshot of a conversation and extract facts worth remembering from it.',
    access: 'user',
    request: {
      params: Type.Object({ ...userParams, conversation_id: ConversationId }),
      headers: Type.Object(serviceHeader),
      body: snapshotBody,
    },
    responses: { 202: { description: 'Stored. The replay, if any, runs in the background.', schema: SnapshotTaken } },
    problems: ['PROFILE_NOT_FOUND'],
    async handle(engine: Engine, { caller, params, headers, body }) {
      for (const { timestamp } of body.messages) toMoment('timestamp', timestamp);
      checkIds(body.messages);
      const taken = await takeSnapshot(engine, withService(caller, headers), {
        conversationId: params.conversation_id,
        profileId: body.profile_id,
        messages: body.messages,
        replay: body.replay,
      });
      return { body: { snapshot_id: taken.snapshotId, snapshot_uri: taken.uri, replay_id: taken.replayId } };
    },
  }),
  defineRoute({
    operation: 'replays.get',
    method: 'GET',
    path: `${prefix}/replays/{replay_id}`,
    summary: 'Get the status and outcome of a replay.',
    access: 'user',
    request: { params: Type.Object({ ...userParams, replay_id: Id }) },
    responses: { 200: { description: 'The replay', schema: ReplayAnswer } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const replay = await getReplay(engine, caller, params.replay_id);
      if (replay === undefined) throw new Problem('NOT_FOUND', 'The replay does not exist.');
      return { body: toReplay(replay) };
    },
  }),
  defineRoute({
    operation: 'unresolved.list',
    method: 'GET',
    path: `${prefix}/unresolved-patches`,
    summary: 'List patches that replays could not apply.',
    access: 'user',
    request: { params: userOnlyParams, query: Type.Object(pageQuery, closed) },
    responses: {
      200: {
        description: 'Oldest first',
        schema: Type.Object({ patches: Type.Array(UnresolvedAnswer), next_cursor: nextCursor }),
      },
    },
    async handle(engine: Engine, { caller, query }) {
      const { items, nextCursor } = await listUnresolved(engine, caller, query);
      return {
        body: {
          patches: items.map(toUnresolvedPatch),
          ...toNextCursor(nextCursor),
        },
      };
    },
  }),
  defineRoute({
    operation: 'unresolved.apply',
    method: 'POST',
    path: `${prefix}/unresolved-patches/{patch_id}:apply`,
    summary: 'Apply an unresolved patch to the current version of the document.',
    access: 'user',
    request: { params: patchParams },
    responses: { 200: { description: 'The document after the change', schema: WriteAnswer } },
    problems: [
      'NOT_FOUND',
      'ETAG_MISMATCH',
      'SCHEMA_VALIDATION_FAILED',
      'ARRAY_LIMIT_EXCEEDED',
      'DOCUMENT_SIZE_EXCEEDED',
    ],
    async handle(engine: Engine, { caller, params }) {
      return toWriteReply(await applyUnresolved(engine, caller, params.patch_id));
    },
  }),
  defineRoute({
    operation: 'unresolved.discard',
    method: 'POST',
    path: `${prefix}/unresolved-patches/{patch_id}:discard`,
    summary: 'Discard an unresolved patch.',
    access: 'user',
    request: { params: patchParams },
    responses: { 204: { description: 'Discarded' } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      await discardUnresolved(engine, caller, params.patch_id);
      return {};
    },
  }),
];

/** Ids must be unique because evidence refers to messages by id. */
function checkIds(messages: readonly { id: string }[]): void {
  const ids = new Set(messages.map(({ id }) => id));
  if (ids.size < messages.length)
    throw new Problem('INVALID_REQUEST', 'Two messages have the same id. Message ids must be unique.');
}

function toReplay(replay: Replay) {
  return {
    replay_id: replay.replayId,
    status: replay.status,
    conversation_id: replay.conversationId,
    snapshot_id: replay.snapshotId,
    profile_id: replay.profileId,
    attempts: replay.attempts,
    outcome: replay.outcome,
    error: replay.error,
    created_at: replay.createdAt.toISOString(),
    updated_at: replay.updatedAt.toISOString(),
    finished_at: replay.finishedAt?.toISOString() ?? null,
  };
}
