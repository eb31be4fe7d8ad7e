import { setTimeout as sleep } from 'node:timers/promises';
import type { OuterStore } from './outer-store.js';

const everyMs = 5000;

/**
 * Copies audit records to the outer store soon after this process has written them. Which ones are missing is known only to
 * this process; the `copy-audit` job finds those of a process that died.
 */
export class CopyLoop {
  readonly #store: OuterStore;
  readonly #onFault: (error: unknown, doing: string) => void;
  readonly #closing = new AbortController();
  readonly #loop: Promise<void>;

  constructor(store: OuterStore, onFault: (error: unknown, doing: string) => void) {
    this.#store = store;
    this.#onFault = onFault;
    this.#loop = this.#run();
  }

  /** Copies what is left, then stops. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#loop;
    await this.#copy();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.#copy();
    }
  }

  async #copy(): Promise<void> {
    await this.#store.copyAudit().catch((error: unknown) => this.#onFault(error, 'copying audit records'));
  }
}
