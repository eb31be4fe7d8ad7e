import type { Json } from '@memhall/core';

const replayStatuses = ['queued', 'running', 'completed', 'failed'] as const;
type ReplayStatus = (typeof replayStatuses)[number];

/** One reading of a conversation's snapshot for what is worth remembering. */
export interface Replay {
  replayId: string;
  conversationId: string;
  snapshotId: string;
  profileId: string;
  status: ReplayStatus;
  attempts: number;
  /** What came of it: counts and ids, no content. */
  outcome: { [key: string]: Json } | null;
  /** Why it failed, in words that may be shown. */
  error: string | null;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
}

/** Replays of the transaction's user. */
export interface Replays {
  get(replayId: string): Promise<Replay | undefined>;
  /** Replaces what is there. Queued. */
  put(replay: Replay): void;
  /** Those of the tenant that wait, or have not been heard of since the moment, oldest first. Operators' transactions only. */
  open(since: Date, limit: number): Promise<{ userId: string; replayId: string }[]>;
}
