import { setTimeout as sleep } from 'node:timers/promises';
import type { EpisodeRef } from '../engine/conversations/extract-episode.js';
import type { ReplayRef } from '../engine/conversations/replay-conversation.js';
import { type Partition, partitionKey } from '../ports/memories.js';
import type { Queue } from '../ports/queue.js';
import { enqueueEpisode } from './extract-episode-job.js';
import { enqueueIndexing } from './index-partitions-job.js';
import { enqueueRefresh } from './refresh-forms-job.js';
import { enqueueReplay } from './replay-job.js';

/** What is asked for all the time is asked for at once, and then this often at the most. */
const pauseMs = 100;

/** Enqueues what follows from a write, without keeping whoever wrote. What gets lost is found by scheduled jobs. */
export class Nudges {
  readonly #queue: Queue;
  readonly #onFault: (error: unknown, doing: string) => void;
  readonly #closing = new AbortController();
  readonly #pending = new Set<Promise<void>>();
  /** What is being asked for, and whether it was needed again since. */
  readonly #asking = new Map<string, { again: boolean }>();

  constructor(queue: Queue, onFault: (error: unknown, doing: string) => void) {
    this.#queue = queue;
    this.#onFault = onFault;
  }

  noteUnembedded(tenantId: string): void {
    this.#ask(`vectors ${tenantId}`, 'asking for missing vectors', () => enqueueRefresh(this.#queue, tenantId));
  }

  noteLarge(tenantId: string, partition: Partition): void {
    const key = `index ${tenantId} ${partitionKey(partition)}`;
    this.#ask(key, 'asking for an index', () => enqueueIndexing(this.#queue, tenantId, partition));
  }

  noteReplay(replay: ReplayRef): void {
    this.#track(enqueueReplay(this.#queue, replay), 'enqueueing a replay');
  }

  noteEpisode(episode: EpisodeRef): void {
    this.#track(enqueueEpisode(this.#queue, episode), 'enqueueing an episode');
  }

  /** Resolves when every job that was asked for is in the queue. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#pending);
  }

  #ask(key: string, doing: string, enqueue: () => Promise<unknown>): void {
    const asking = this.#asking.get(key);
    if (asking === undefined) this.#track(this.#keepAsking(key, enqueue), doing);
    else asking.again = true;
  }

  #track(work: Promise<unknown>, doing: string): void {
    const pending: Promise<void> = work
      .then(
        () => undefined,
        (error: unknown) => this.#onFault(error, doing),
      )
      .finally(() => this.#pending.delete(pending));
    this.#pending.add(pending);
  }

  async #keepAsking(key: string, enqueue: () => Promise<unknown>): Promise<void> {
    const asking = { again: true };
    this.#asking.set(key, asking);
    try {
      while (asking.again) {
        asking.again = false;
        await enqueue();
        await sleep(pauseMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
      }
    } finally {
      this.#asking.delete(key);
    }
  }
}
