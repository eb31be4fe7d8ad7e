import { Problem } from '@memhall/core';
import type { RunningEngine } from './composition/start-engine.js';
import type { Engine } from './engine/engine.js';

const longMs = 2 ** 30;

/**
 * The engine of a program that uses the library. Keeps the process alive only while calls are in progress, and closes
 * when the program has nothing left to do.
 */
export class OpenEngine {
  readonly #running: RunningEngine;
  readonly #calls = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;
  #keepingAlive: NodeJS.Timeout | undefined;

  constructor(running: RunningEngine) {
    this.#running = running;
    process.once('beforeExit', this.#closeAtExit);
  }

  /** Rejects if the engine was closed. */
  async use<T>(call: (engine: Engine) => Promise<T>): Promise<T> {
    this.checkOpen();
    const result = call(this.#running.engine);
    this.#calls.add(result);
    this.#keepingAlive ??= setInterval(() => undefined, longMs);
    try {
      return await result;
    } finally {
      this.#calls.delete(result);
      if (this.#calls.size === 0) this.#letGo();
    }
  }

  checkOpen(): void {
    if (this.#closed === undefined) return;
    throw new Problem('UNAVAILABLE', 'This memory is closed. Open it again with `openMemhall()`.');
  }

  /** Waits for calls in progress. Can be called more than once. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    process.off('beforeExit', this.#closeAtExit);
    await Promise.allSettled(this.#calls);
    await this.#running.close();
  }

  #letGo(): void {
    clearInterval(this.#keepingAlive);
    this.#keepingAlive = undefined;
  }

  readonly #closeAtExit = (): void => {
    void this.close();
  };
}
