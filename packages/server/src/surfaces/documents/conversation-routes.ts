import { Problem } from '@memhall/core';
import { Type } from 'typebox';
import { listConversations } from '../../engine/conversations/list-conversations.js';
import { readConversation } from '../../engine/conversations/read-conversation.js';
import { replayAgain } from '../../engine/conversations/replay-again.js';
import { getReplay } from '../../engine/conversations/replay-conversation.js';
import type { Engine } from '../../engine/engine.js';
import { defineRoute } from '../../http/route.js';
import { Id, pageQuery, toNextCursor } from '../../http/wire-schemas.js';
import {
  ConversationList,
  conversationParams,
  LearnedConversation,
  ReplayAnswer,
  ReplayQueued,
  replayAgainBody,
  replayAgainParams,
} from './conversation-schemas.js';
import { userOnlyParams } from './document-schemas.js';
import { serviceHeader, userParams, withService } from './shared-schemas.js';
import { toConversation, toLearnedConversation, toReplay } from './to-conversation.js';

const prefix = '/v1/tenants/{tenant_id}/users/{user_id}';

export const conversationRoutes = [
  defineRoute({
    operation: 'conversations.list',
    method: 'GET',
    path: `${prefix}/conversations`,
    summary: 'List the conversations of a user, the one that was active last first.',
    description: 'Chats whose turns are memories with a session id, and conversations that snapshots were taken of.',
    access: 'user',
    request: { params: userOnlyParams, query: Type.Object(pageQuery, { additionalProperties: false }) },
    responses: { 200: { description: 'One page of conversations', schema: ConversationList } },
    async handle(engine: Engine, { caller, query }) {
      const { items, nextCursor } = await listConversations(engine, caller, query);
      return { body: { conversations: items.map(toConversation), ...toNextCursor(nextCursor) } };
    },
  }),
  defineRoute({
    operation: 'conversations.get',
    method: 'GET',
    path: `${prefix}/conversations/{conversation_id}`,
    summary: 'Say what was made from a conversation: facts, versions of documents, and patches that wait.',
    description:
      'Each names the messages it is based on. Up to 500 of each kind. Its turns are listed by `memory.list` with the session id, and are in its snapshots.',
    access: 'user',
    request: { params: conversationParams },
    responses: { 200: { description: 'Empty lists if nothing was made from it', schema: LearnedConversation } },
    async handle(engine: Engine, { caller, params }) {
      const learned = await readConversation(engine, caller, params.conversation_id);
      return { body: toLearnedConversation(params.conversation_id, learned) };
    },
  }),
  defineRoute({
    operation: 'conversations.replay',
    method: 'POST',
    path: `${prefix}/conversations/{conversation_id}/snapshots/{snapshot_id}:replay`,
    summary: 'Extract facts from a snapshot once more.',
    description: 'For a profile, an extractor or documents that changed since. What is known is not added twice.',
    access: 'user',
    request: { params: replayAgainParams, headers: Type.Object(serviceHeader), body: replayAgainBody },
    responses: { 202: { description: 'Queued. The replay runs in the background.', schema: ReplayQueued } },
    problems: ['NOT_FOUND', 'PROFILE_NOT_FOUND'],
    async handle(engine: Engine, { caller, params, headers, body }) {
      const { conversation_id: conversationId, snapshot_id: snapshotId } = params;
      const wanted = { conversationId, snapshotId, profileId: body.profile_id };
      return { body: { replay_id: await replayAgain(engine, withService(caller, headers), wanted) } };
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
