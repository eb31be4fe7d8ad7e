import type { Static } from 'typebox';
import type { LearnedConversation as Learned } from '../../engine/conversations/read-conversation.js';
import { fromDocumentTarget } from '../../engine/documents/document-path.js';
import type { Conversation } from '../../ports/conversations.js';
import type { Replay } from '../../ports/replays.js';
import type { LearnedConversation, ReplayAnswer } from './conversation-schemas.js';
import { toDocumentVersion } from './to-document.js';
import { toUnresolvedPatch } from './to-unresolved-patch.js';

export function toConversation({ conversationId, turns, snapshots, firstAt, lastAt }: Conversation) {
  return {
    ...{ conversation_id: conversationId, turns, snapshots },
    ...{ first_at: firstAt.toISOString(), last_at: lastAt.toISOString() },
  };
}

export function toLearnedConversation(conversationId: string, learned: Learned): Static<typeof LearnedConversation> {
  return {
    conversation_id: conversationId,
    replays: learned.replays.map(toReplay),
    digests: learned.digests.map(({ event, messageIds }) => ({
      ...{ event_id: event.event_id, at: event.timestamp, text: event.digest, keywords: [...event.keywords] },
      message_ids: messageIds,
    })),
    learned: learned.learned.map(({ memory, messageIds }) => ({
      memory_id: memory.id,
      text: memory.content,
      confidence: typeof memory.metadata.confidence === 'number' ? memory.metadata.confidence : null,
      message_ids: messageIds,
    })),
    facts: learned.facts.map(({ fact, status, messageIds }) => ({
      ...{ fact_id: fact.id, subject: fact.subject, attribute: fact.attribute, value: fact.value, status },
      message_ids: messageIds,
    })),
    patches: learned.patches.map((patch) => ({
      ...fromDocumentTarget(patch.target),
      ...toDocumentVersion(patch),
      message_ids: patch.messageIds,
    })),
    unresolved: learned.unresolved.map((patch) => ({ ...toUnresolvedPatch(patch), message_ids: patch.messageIds })),
  };
}

export function toReplay(replay: Replay): Static<typeof ReplayAnswer> {
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
