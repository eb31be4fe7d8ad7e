import type { Json } from '@memhall/core';

const replayStatuses = ['queued', 'running', 'completed', 'failed'] as const;
type ReplayStatus = (typeof replayStatuses)[number];

/** One pass over a conversation's snapshot to extract what is worth remembering. */
export interface Replay {
  replayId: string;
  conversationId: string;
  snapshotId: string;
  profileId: string;
  status: ReplayStatus;
  attempts: number;
  /** The result: counts and ids, no content. */
  outcome: { [key: string]: Json } | null;
  /** Why it failed, in words that may be shown to users. */
  error: string | null;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
}

/** Replays of the transaction's user. */
export interface Replays {
  get(replayId: string): Promise<Replay | undefined>;
  /** Returns the last replays of a conversation, newest first. */
  of(conversationId: string, limit: number): Promise<Replay[]>;
  /** Inserts or replaces. Queued. */
  put(replay: Replay): void;
  /**
   * Returns the tenant's queued or running replays that were last updated at or before the time given for their status,
   * oldest first. Operator transactions only.
   */
  open(since: { queued: Date; running: Date }, limit: number): Promise<{ userId: string; replayId: string }[]>;
}
