import type { EmbedPurpose } from '../../ports/embedder.js';

/** Runs at most `limit` tasks at a time; waiting queries start before waiting passages. */
export class RequestLimiter {
  readonly #limit: number;
  readonly #waiting: Record<EmbedPurpose, (() => void)[]> = { query: [], passage: [] };
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Rejects with the signal's reason, without running the task, if the signal aborts while the task waits. */
  async run<T>(purpose: EmbedPurpose, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#running >= this.#limit) await this.#wait(purpose, signal);
    else this.#running += 1;
    try {
      return await task();
    } finally {
      this.#release();
    }
  }

  /** Resolves with the slot of a task that ended, so `#running` does not change. */
  #wait(purpose: EmbedPurpose, signal: AbortSignal): Promise<void> {
    const lane = this.#waiting[purpose];
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        lane.splice(lane.indexOf(start), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      lane.push(start);
    });
  }

  #release(): void {
    const next = this.#waiting.query.shift() ?? this.#waiting.passage.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
