export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** A language model that people talk to, to try what memory does for it. It gets what it is sent, and stores nothing. */
export interface ChatModel {
  /** Names it in calls; unique in a process. */
  readonly id: string;
  /** Whether its answers follow from rules, without a language model. */
  readonly isScripted: boolean;
  /** Returns its answer to the last message. Throws UNAVAILABLE, also if it takes too long. */
  reply(messages: readonly ChatMessage[]): Promise<string>;
}
