/** Something that was said in turns: a chat whose turns are memories, or a conversation that snapshots were taken of, or both. */
export interface Conversation {
  conversationId: string;
  /** Memories of the kinds that were asked for. */
  turns: number;
  snapshots: number;
  firstAt: Date;
  /** When the last turn was said, or the last snapshot taken. */
  lastAt: Date;
}

/** Conversations of the transaction's user. */
export interface Conversations {
  /** Latest first, starting after `after`. Turns are memories of these kinds that have not expired. */
  list(page: {
    turnKinds: readonly string[];
    after: { lastAt: Date; conversationId: string } | undefined;
    limit: number;
    now: Date;
  }): Promise<Conversation[]>;
}
