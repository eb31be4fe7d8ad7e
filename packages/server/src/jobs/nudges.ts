import { setTimeout as sleep } from 'node:timers/promises';
import type { EpisodeRef } from '../engine/conversations/extract-episode.js';
import type { ReplayRef } from '../engine/conversations/replay-conversation.js';
import { type Partition, partitionKey } from '../ports/memories.js';
import type { Queue } from '../ports/queue.js';
import { enqueueAgreement } from './agree-documents-job.js';
import { enqueueDeliveries } from './deliver-webhooks-job.js';
import { enqueueEpisode } from './extract-episode-job.js';
import { enqueueEventIndexing } from './index-events-job.js';
import { enqueueIndexing } from './index-partitions-job.js';
import { enqueueRefresh } from './refresh-forms-job.js';
import { enqueueReplay } from './replay-job.js';

/** Repeated requests for the same job are enqueued immediately, and after that at most once per interval. */
const pauseMs = 100;

/** Enqueues jobs that follow from a write without delaying the write. Lost ones are found again by scheduled jobs. */
export class Nudges {
  readonly #queue: Queue;
  readonly #onFault: (error: unknown, doing: string) => void;
  readonly #closing = new AbortController();
  readonly #pending = new Set<Promise<void>>();
  /** Jobs being enqueued, and whether each was requested again since. */
  readonly #asking = new Map<string, { again: boolean }>();

  constructor(queue: Queue, onFault: (error: unknown, doing: string) => void) {
    this.#queue = queue;
    this.#onFault = onFault;
  }

  noteUnembedded(tenantId: string): void {
    this.#ask(`vectors ${tenantId}`, 'enqueueing the embedding of memories', () =>
      enqueueRefresh(this.#queue, tenantId),
    );
  }

  noteUnindexed(tenantId: string): void {
    this.#ask(`events ${tenantId}`, 'enqueueing the indexing of events', () =>
      enqueueEventIndexing(this.#queue, tenantId),
    );
  }

  noteLarge(tenantId: string, partition: Partition): void {
    const key = `index ${tenantId} ${partitionKey(partition)}`;
    this.#ask(key, 'enqueueing the indexing of a partition', () => enqueueIndexing(this.#queue, tenantId, partition));
  }

  noteDueDocuments(tenantId: string, userId: string): void {
    this.#track(enqueueAgreement(this.#queue, tenantId, userId), 'enqueueing the comparison of documents with facts');
  }

  noteWebhook(): void {
    this.#ask('webhooks', 'enqueueing deliveries to webhooks', () => enqueueDeliveries(this.#queue));
  }

  noteReplay(replay: ReplayRef): void {
    this.#track(enqueueReplay(this.#queue, replay), 'enqueueing a replay');
  }

  noteEpisode(episode: EpisodeRef): void {
    this.#track(enqueueEpisode(this.#queue, episode), 'enqueueing an episode');
  }

  /** Resolves when every requested job is in the queue or has failed to be enqueued. */
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
