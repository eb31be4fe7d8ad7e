import { setTimeout as sleep } from 'node:timers/promises';
import type { ReplayRef } from '../engine/conversations/replay-conversation.js';
import type { Partition } from '../ports/memories.js';
import type { Queue } from '../ports/queue.js';
import { enqueueIndexing } from './index-partitions-job.js';
import { enqueueRefresh } from './refresh-forms-job.js';
import { enqueueReplay } from './replay-job.js';

/** A tenant that writes all the time gets its job at once, and then asks for another this often at the most. */
const pauseMs = 100;

/** Enqueues what follows from a write, without keeping whoever wrote. What gets lost is found by scheduled jobs. */
export class Nudges {
  readonly #queue: Queue;
  readonly #onFault: (error: unknown, doing: string) => void;
  readonly #closing = new AbortController();
  readonly #pending = new Set<Promise<void>>();
  /** Tenants that are being seen to, and whether something was stored since. */
  readonly #unembedded = new Map<string, { again: boolean }>();

  constructor(queue: Queue, onFault: (error: unknown, doing: string) => void) {
    this.#queue = queue;
    this.#onFault = onFault;
  }

  noteUnembedded(tenantId: string): void {
    const noted = this.#unembedded.get(tenantId);
    if (noted === undefined) this.#track(this.#nudge(tenantId), 'asking for missing vectors');
    else noted.again = true;
  }

  noteReplay(replay: ReplayRef): void {
    this.#track(enqueueReplay(this.#queue, replay), 'enqueueing a replay');
  }

  noteLarge(tenantId: string, partition: Partition): void {
    this.#track(enqueueIndexing(this.#queue, tenantId, partition), 'asking for an index of a large partition');
  }

  /** Resolves when every job that was asked for is in the queue. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#pending);
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

  async #nudge(tenantId: string): Promise<void> {
    const noted = { again: true };
    this.#unembedded.set(tenantId, noted);
    try {
      while (noted.again) {
        noted.again = false;
        await enqueueRefresh(this.#queue, tenantId);
        await sleep(pauseMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
      }
    } finally {
      this.#unembedded.delete(tenantId);
    }
  }
}
