import type { Store } from '../../ports/store.js';

const pollMs = 1000;
/** A change is counted before its commit, so readers look again this many times after the last one was counted. */
const looksAfter = 3;

/**
 * Wakes those who wait for changes. However many wait, one short query a second asks the database whether anything changed at all;
 * that also works through a pooler that does not keep connections. Nothing is asked while nobody waits.
 */
export class ChangeSignal {
  readonly #store: Pick<Store, 'changeCounter'>;
  readonly #onFault: (error: unknown) => void;
  readonly #waiting = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #counter: bigint | undefined;
  #looks = 0;

  constructor(store: Pick<Store, 'changeCounter'>, onFault: (error: unknown) => void) {
    this.#store = store;
    this.#onFault = onFault;
  }

  /** Resolves when something may have changed, after `timeoutMs`, or when the signal is aborted. */
  async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    let wake = () => {};
    const woken = new Promise<void>((done) => {
      wake = done;
    });
    const timer = setTimeout(wake, timeoutMs);
    signal.addEventListener('abort', wake);
    this.#waiting.add(wake);
    this.#timer ??= setTimeout(() => void this.#poll(), pollMs).unref();
    await woken;
    clearTimeout(timer);
    signal.removeEventListener('abort', wake);
    this.#waiting.delete(wake);
  }

  async #poll(): Promise<void> {
    try {
      const counter = await this.#store.changeCounter();
      if (counter !== this.#counter) this.#looks = looksAfter;
      this.#counter = counter;
    } catch (error) {
      this.#onFault(error);
    }
    if (this.#looks > 0) {
      this.#looks -= 1;
      for (const wake of this.#waiting) wake();
    }
    this.#timer = this.#waiting.size === 0 ? undefined : setTimeout(() => void this.#poll(), pollMs).unref();
  }
}
