type Vectors = ReadonlyMap<string, Float32Array>;

/** A piece of work that several callers wait for. It is aborted when the last of them gives up. */
export class SharedFlight {
  readonly #controller = new AbortController();
  readonly #result: Promise<Vectors>;
  readonly #onEnd: () => void;
  #callers = 0;

  /**
   * @param onEnd called when nobody may join any more: the work is done, failed or was abandoned; possibly called twice
   */
  constructor(work: (signal: AbortSignal) => Promise<Vectors>, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#result = work(this.#controller.signal).finally(onEnd);
    this.#result.catch(() => undefined);
  }

  /** Rejects at once with the reason of the caller's own signal, regardless of the other callers. */
  join(signal: AbortSignal | undefined): Promise<Vectors> {
    this.#callers += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#leave();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      const done = () => signal?.removeEventListener('abort', leave);
      this.#result.then(resolve, reject).finally(done);
    });
  }

  #leave(): void {
    this.#callers -= 1;
    if (this.#callers > 0) return;
    this.#onEnd();
    this.#controller.abort();
  }
}
