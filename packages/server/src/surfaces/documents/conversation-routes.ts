import { Problem } from '@memhall/core';
import { Type } from 'typebox';
import { getReplay } from '../../engine/conversations/replay-conversation.js';
import { takeSnapshot } from '../../engine/conversations/take-snapshot.js';
import type { Engine } from '../../engine/engine.js';
import { toMoment } from '../../http/moment.js';
import { defineRoute } from '../../http/route.js';
import { Id, Moment, Timestamp } from '../../http/wire-schemas.js';
import type { Replay } from '../../ports/replays.js';
import { serviceHeader, userParams, withService } from './shared-schemas.js';

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
