import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../engine/engine.js';
import { copyNoted } from '../engine/outer/copy-chain.js';

const everyMs = 5000;

/**
 * Copies audit records to the outer store, if there is one, soon after this process has written them. The list of
 * records to copy is in memory, so no other process can do it. The job `copy-audit` finds records that a crashed
 * process left.
 */
export class OuterCopies {
  readonly #engine: Engine;
  readonly #closing = new AbortController();
  readonly #loop: Promise<void>;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#loop = engine.outer === null ? Promise.resolve() : this.#run();
  }

  /** Stops the loop and copies the remaining records. */
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
    const { outer, onFault } = this.#engine;
    if (outer === null) return;
    await copyNoted(this.#engine, outer).catch((error: unknown) => onFault(error, 'copying audit records'));
  }
}
