import type { ChatPlace } from '../../ports/episodes.js';
import type { Memory, MemoryFilter } from '../../ports/memories.js';
import type { NewMemory } from './new-memory.js';

// Chat messages, digests of chats and chunks of files store the app in `agentId` and the project in `planId`. These are
// columns for ids: metadata is free text, in which an id may look like a secret and be redacted.

export function toAppColumns({
  appId,
  projectId,
}: Omit<ChatPlace, 'sessionId'>): Pick<NewMemory, 'agentId' | 'planId'> {
  return { agentId: appId, planId: projectId };
}

export function toChatColumns(place: ChatPlace): Pick<NewMemory, 'agentId' | 'planId' | 'sessionId'> {
  return { sessionId: place.sessionId, ...toAppColumns(place) };
}

export function toChatFilter({ sessionId, appId, projectId }: ChatPlace): MemoryFilter {
  return { sessionIds: [sessionId], agentId: appId, planId: projectId };
}

/** Returns the chat a memory belongs to. Memories that do not belong to a chat have null instead of some or all ids. */
export function chatOf({ sessionId, agentId, planId }: Memory): { [Id in keyof ChatPlace]: string | null } {
  return { sessionId, appId: agentId, projectId: planId };
}

export function isInChat(memory: Memory, place: ChatPlace): boolean {
  const { sessionId, appId, projectId } = chatOf(memory);
  return sessionId === place.sessionId && appId === place.appId && projectId === place.projectId;
}
