import type { AnyMemory, LearnedConversation, Snapshot } from '@memhall/client/operations';

/** Something that was said. */
export interface Turn {
  id: string;
  role: string;
  text: string;
  at: string | undefined;
  /** Whether it is a memory of its own, with a page. */
  isMemory: boolean;
}

/** What was made from one turn, or from a conversation as a whole. */
export type Made = Pick<LearnedConversation, 'learned' | 'facts' | 'patches' | 'unresolved'>;

const turnKinds = ['episodic', 'note'];

/** Returns the turns of a chat in their order, given its memories. */
export function turnsOfChat(memories: readonly AnyMemory[]): Turn[] {
  return memories
    .filter(({ kind }) => turnKinds.includes(kind))
    .map(({ id, role, content, occurred_at: at }) => ({ id, role: role ?? 'user', text: content, at, isMemory: true }))
    .sort((one, other) => (one.at < other.at ? -1 : 1));
}

export function turnsOfSnapshot({ messages }: Snapshot): Turn[] {
  return messages.map(({ id, role, content, timestamp: at }) => ({ id, role, text: content, at, isMemory: false }));
}

export function madeFrom(learned: LearnedConversation, isWanted: (messageIds: readonly string[]) => boolean): Made {
  const pick = <T extends { message_ids: readonly string[] }>(all: readonly T[]) =>
    all.filter(({ message_ids: ids }) => isWanted(ids));
  return {
    learned: pick(learned.learned),
    facts: pick(learned.facts),
    patches: pick(learned.patches),
    unresolved: pick(learned.unresolved),
  };
}

export function countOf({ learned, facts, patches, unresolved }: Made): number {
  return learned.length + facts.length + patches.length + unresolved.length;
}
