import { createHash } from 'node:crypto';
import type { ChatPlace } from '../../ports/episodes.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { toChatColumns } from '../memories/chat-columns.js';
import type { MemoryKind } from '../memories/kinds.js';
import type { NewMemory } from '../memories/new-memory.js';
import { rememberMany } from '../memories/remember.js';

export interface ChatMessage {
  /** Unique within the chat: a message that already exists is not stored again. */
  id?: string | undefined;
  senderId: string;
  role: 'user' | 'assistant' | 'tool';
  at: Date;
  content: string;
}

export const messageKind = 'episodic' satisfies MemoryKind;

/** Adds messages to the open episode of a chat, all or none. Returns how many are new. */
export async function addMessages(
  engine: Engine,
  caller: Caller,
  place: ChatPlace,
  messages: readonly ChatMessage[],
): Promise<number> {
  const ordered = [...messages].sort((one, other) => one.at.getTime() - other.at.getTime());
  const inputs = ordered.map((message) => toNewMemory(place, message));
  const stored = await rememberMany(engine, caller, inputs, { keepsExisting: true });
  return stored.filter(({ outcome }) => outcome === 'created').length;
}

function toNewMemory(place: ChatPlace, { id, senderId, role, at, content }: ChatMessage): NewMemory {
  return {
    kind: messageKind,
    content,
    externalId: id === undefined ? undefined : messageKey(place, id),
    ...toChatColumns(place),
    source: senderId,
    role,
    occurredAt: at,
    metadata: id === undefined ? {} : { message_id: id },
  };
}

function messageKey({ sessionId, appId, projectId }: ChatPlace, id: string): string {
  const hash = createHash('sha256').update(JSON.stringify([appId, projectId, sessionId, id]));
  return `message:${hash.digest('hex')}`;
}
