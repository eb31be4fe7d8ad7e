import { performance } from 'node:perf_hooks';
import { type LoopMarks, noOperation } from '../ports/loop-marks.js';

/** Operation of a stall that consists of many short pieces of work: the process has too much to do. */
const several = 'several';

const tickMs = 20;

export interface Stall {
  operation: string;
  delayMs: number;
}

interface EventLoopWatchOptions {
  /** Delays from here on are stalls. 0 reports none. */
  stallMs: number;
  onStall(stall: Stall): void;
  /** Is called with every measured delay. */
  onDelay(delayMs: number, atMs: number): void;
}

/**
 * Measures how late the event loop runs a timer, and finds the operation that made it late: the one that ran longest without
 * letting another mark itself. `monitorEventLoopDelay` has no times, so it cannot tell.
 */
export class EventLoopWatch implements LoopMarks {
  readonly #options: EventLoopWatchOptions;
  #tickedAtMs: number;
  #lastDelayMs = 0;
  #current = noOperation;
  #sinceMs: number;
  #longest = noOperation;
  #longestMs = 0;

  constructor(options: EventLoopWatchOptions, atMs = performance.now()) {
    this.#options = options;
    this.#tickedAtMs = atMs;
    this.#sinceMs = atMs;
  }

  /** The last measured delay. */
  get lastDelayMs(): number {
    return this.#lastDelayMs;
  }

  /** Returns a function that stops it. Does not keep the process alive. */
  start(): () => void {
    this.#begin(performance.now());
    const timer = setInterval(() => this.tick(), tickMs).unref();
    return () => clearInterval(timer);
  }

  mark(operation: string, atMs = performance.now()): void {
    const lastedMs = atMs - this.#sinceMs;
    if (lastedMs > this.#longestMs) {
      this.#longestMs = lastedMs;
      this.#longest = this.#current;
    }
    this.#current = operation;
    this.#sinceMs = atMs;
  }

  tick(atMs = performance.now()): void {
    this.mark(noOperation, atMs);
    const { stallMs, onStall, onDelay } = this.#options;
    const delayMs = Math.max(0, atMs - this.#tickedAtMs - tickMs);
    this.#lastDelayMs = delayMs;
    onDelay(delayMs, atMs);
    if (stallMs > 0 && delayMs >= stallMs) {
      onStall({ operation: this.#longestMs * 2 < delayMs ? several : this.#longest, delayMs });
    }
    this.#begin(atMs);
  }

  #begin(atMs: number): void {
    this.#tickedAtMs = atMs;
    this.#sinceMs = atMs;
    this.#longestMs = 0;
    this.#longest = noOperation;
  }
}
