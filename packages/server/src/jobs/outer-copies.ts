import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../engine/engine.js';
import { copyNoted } from '../engine/outer/copy-chain.js';

const everyMs = 5000;

/**
 * Copies audit records to the outer store, where there is one, soon after this process has written them. What is still to
 * be copied is in its memory, so no other process could do it; `copy-audit` finds what got lost with one.
 */
export class OuterCopies {
  readonly #engine: Engine;
  readonly #closing = new AbortController();
  readonly #loop: Promise<void>;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#loop = engine.outer === null ? Promise.resolve() : this.#run();
  }

  /** Copies what is left. */
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
