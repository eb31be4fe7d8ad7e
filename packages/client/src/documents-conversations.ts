import { eachItem, orNull } from './client-area.js';
import {
  type Answer,
  type Body,
  type DocumentsScope,
  type EachPage,
  type Query,
  splitOptions,
} from './documents-call.js';
import type { Replay, Snapshot, SnapshotSummary, SnapshotTaken } from './generated/operations.js';
import { MemhallError } from './memhall-error.js';
import { type CallOptions, wait } from './transport.js';

export type NewSnapshot = Body<'conversations.snapshot'>;
export type SnapshotList = Answer<'conversations.listSnapshots'>;

export interface ReplayWaitOptions extends CallOptions {
  /** How long to wait in total. Default: five minutes. */
  withinMs?: number;
  /** Pause between two looks. Default: half a second. */
  everyMs?: number;
}

/** Conversations of the user, stored encrypted. */
export interface Conversations {
  /** Stores a conversation and, unless `replay` is false, learns from it in the background. */
  snapshot(conversationId: string, snapshot: NewSnapshot, options?: CallOptions): Promise<SnapshotTaken>;
  /** Needs the role admin. */
  listSnapshots(
    conversationId: string,
    options?: CallOptions & Query<'conversations.listSnapshots'>,
  ): Promise<SnapshotList>;
  eachSnapshot(
    conversationId: string,
    options?: EachPage<'conversations.listSnapshots'>,
  ): AsyncGenerator<SnapshotSummary, void, undefined>;
  /** Reads a stored conversation, which leaves an audit record. Needs the role admin. Returns null if it is gone. */
  readSnapshot(conversationId: string, snapshotId: string, options?: CallOptions): Promise<Snapshot | null>;
}

/** What is learned from conversations. */
export interface Replays {
  /** Returns null if there is no such replay. */
  get(replayId: string, options?: CallOptions): Promise<Replay | null>;
  /**
   * Waits until a replay is completed or failed, and returns it. Throws MemhallError NOT_FOUND if there is none, and
   * TIMEOUT if it takes too long.
   */
  finished(replayId: string, options?: ReplayWaitOptions): Promise<Replay>;
}

export function conversationsOf({ transport, user }: DocumentsScope): Conversations {
  const listSnapshots: Conversations['listSnapshots'] = async (conversation_id, given = {}) => {
    const { query, options } = splitOptions(given);
    const input = { path: { ...user, conversation_id }, query };
    return (await transport.call('conversations.listSnapshots', input, options)).answer;
  };
  return {
    async snapshot(conversation_id, body, options) {
      const input = { path: { ...user, conversation_id }, body };
      return (await transport.call('conversations.snapshot', input, options)).answer;
    },
    listSnapshots,
    eachSnapshot: (conversationId, options = {}) =>
      eachItem(
        (page) => listSnapshots(conversationId, { ...options, ...page }),
        ({ snapshots }) => snapshots,
      ),
    async readSnapshot(conversation_id, snapshot_id, options) {
      const path = { ...user, conversation_id, snapshot_id };
      return (await orNull(transport.call('conversations.readSnapshot', { path }, options)))?.answer ?? null;
    },
  };
}

export function replaysOf({ transport, user }: DocumentsScope): Replays {
  const read = async (replay_id: string, options: CallOptions) =>
    (await transport.call('replays.get', { path: { ...user, replay_id } }, options)).answer;
  return {
    get: (replayId, options = {}) => orNull(read(replayId, options)),
    async finished(replayId, { withinMs = 300_000, everyMs = 500, ...options } = {}) {
      for (const until = Date.now() + withinMs; ; ) {
        const replay = await read(replayId, options);
        if (replay.status === 'completed' || replay.status === 'failed') return replay;
        if (Date.now() + everyMs > until) {
          const message = `The replay ${replayId} is still ${replay.status} after ${withinMs} ms.`;
          throw new MemhallError({ code: 'TIMEOUT', status: 0, message });
        }
        await wait(everyMs, options.signal);
      }
    },
  };
}
