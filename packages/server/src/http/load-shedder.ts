const sliceMs = 1000;
/** Number of slices in a row that must be high, or low, to change the state. */
const slicesToChange = 3;
const longestMs = 30_000;

interface LoadShedderOptions {
  /** Sheds load while the delay is above this, until it is below half of it. 0 never sheds. */
  delayMs: number;
  onChange(isShedding: boolean, delayMs: number): void;
}

/**
 * Decides when to refuse new requests: while the event loop stays late. One stall is not enough, however long, because it is over
 * when it is noticed. Ends after 30 seconds at the latest, so that other work cannot close the service.
 */
export class LoadShedder {
  readonly retryAfterSeconds = slicesToChange;
  readonly #options: LoadShedderOptions;
  #isShedding = false;
  #changedAtMs = 0;
  /** Slices in a row that ask for a change. */
  #asking = 0;
  #observedAtMs: number | undefined;
  #timeMs = 0;
  #weightedMs = 0;

  constructor(options: LoadShedderOptions) {
    this.#options = options;
  }

  get isShedding(): boolean {
    return this.#isShedding;
  }

  observe(delayMs: number, atMs: number): void {
    if (this.#options.delayMs === 0) return;
    const lastedMs = atMs - (this.#observedAtMs ?? atMs);
    this.#observedAtMs = atMs;
    // Weighted by time: of a second with one delay of 0.9 seconds and five of none, most callers meet the long one.
    this.#timeMs += lastedMs;
    this.#weightedMs += delayMs * lastedMs;
    if (this.#timeMs < sliceMs) return;
    const meanMs = this.#weightedMs / this.#timeMs;
    this.#timeMs = 0;
    this.#weightedMs = 0;
    this.#decide(meanMs, atMs);
  }

  #decide(meanMs: number, atMs: number): void {
    const { delayMs } = this.#options;
    const asks = this.#isShedding ? meanMs < delayMs / 2 : meanMs > delayMs;
    this.#asking = asks ? this.#asking + 1 : 0;
    const isOver = this.#isShedding && atMs - this.#changedAtMs >= longestMs;
    if (this.#asking < slicesToChange && !isOver) return;
    this.#isShedding = !this.#isShedding;
    this.#changedAtMs = atMs;
    this.#asking = 0;
    this.#options.onChange(this.#isShedding, meanMs);
  }
}
