import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

const mostAtOnceMs = 5;

/** Lets others run between the parts of a long piece of work. */
export class Turns {
  #sinceMs = performance.now();

  /** Call it between two parts. Waits for a turn of the event loop if the last one was a while ago. */
  async next(): Promise<void> {
    if (performance.now() - this.#sinceMs < mostAtOnceMs) return;
    await nextTurn();
    this.#sinceMs = performance.now();
  }
}
