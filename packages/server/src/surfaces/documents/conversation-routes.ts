import { Problem } from '@memhall/core';
import { Type } from 'typebox';
import { getReplay } from '../../engine/conversations/replay-conversation.js';
import type { Engine } from '../../engine/engine.js';
import { defineRoute } from '../../http/route.js';
import { Id, Timestamp } from '../../http/wire-schemas.js';
import type { Replay } from '../../ports/replays.js';
import { userParams } from './shared-schemas.js';

const prefix = '/v1/tenants/{tenant_id}/users/{user_id}';

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
