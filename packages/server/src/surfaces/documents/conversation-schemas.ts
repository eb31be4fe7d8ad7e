import { Type } from 'typebox';
import { factStatuses } from '../../engine/facts/read-facts.js';
import { Id, nextCursor, Timestamp } from '../../http/wire-schemas.js';
import { documentVersion } from './document-schemas.js';
import { userParams } from './shared-schemas.js';
import { ConversationId, snapshotParams } from './snapshot-schemas.js';
import { unresolvedPatch } from './unresolved-schemas.js';

const closed = { additionalProperties: false };
const MessageIds = Type.Array(Type.String(), {
  description: 'The messages it is based on, by the ids of their memories or those in the snapshot',
});

export const conversationParams = Type.Object({ ...userParams, conversation_id: ConversationId });
export const replayAgainParams = Type.Object({ ...snapshotParams.properties, snapshot_id: Id });
export const replayAgainBody = Type.Object({ profile_id: Id }, closed);
export const ReplayQueued = Type.Object({ replay_id: Type.String() }, { title: 'ReplayQueued' });

export const ConversationList = Type.Object(
  {
    conversations: Type.Array(
      Type.Object(
        {
          conversation_id: Type.String({ description: 'Or the session id of a chat' }),
          turns: Type.Integer({ description: 'Memories of what was said in it' }),
          snapshots: Type.Integer(),
          first_at: Timestamp,
          last_at: Timestamp,
        },
        { title: 'Conversation' },
      ),
    ),
    next_cursor: nextCursor,
  },
  { title: 'ConversationList' },
);

const replay = {
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
};
export const ReplayAnswer = Type.Object(replay, { title: 'Replay' });

export const LearnedConversation = Type.Object(
  {
    conversation_id: Type.String(),
    replays: Type.Array(Type.Object(replay), { description: 'Newest first' }),
    digests: Type.Array(
      Type.Object({
        event_id: Type.String(),
        at: Timestamp,
        text: Type.String(),
        keywords: Type.Array(Type.String()),
        message_ids: MessageIds,
      }),
      { description: 'What it was about, newest first' },
    ),
    learned: Type.Array(
      Type.Object({
        memory_id: Type.String(),
        text: Type.String(),
        confidence: Type.Union([Type.Number(), Type.Null()]),
        message_ids: MessageIds,
      }),
      { description: 'Texts that the extractor found worth keeping in a chat' },
    ),
    facts: Type.Array(
      Type.Object({
        fact_id: Type.String(),
        subject: Type.String(),
        attribute: Type.String(),
        value: Type.String(),
        status: Type.Enum([...factStatuses]),
        message_ids: MessageIds,
      }),
      { description: 'Empty `message_ids`: it is based on the digest of a snapshot' },
    ),
    patches: Type.Array(
      Type.Object({ namespace: Type.String(), path: Type.String(), ...documentVersion, message_ids: MessageIds }),
      { description: 'Versions of documents whose evidence names the conversation, newest first' },
    ),
    unresolved: Type.Array(Type.Object({ ...unresolvedPatch, message_ids: MessageIds }), {
      description: 'Patches of its replays that could not be applied yet, oldest first',
    }),
  },
  { title: 'LearnedConversation' },
);
