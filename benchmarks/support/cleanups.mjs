/** Stops and removes things at the end, also when the run is interrupted. Last in, first out. */
export class Cleanups {
  /** @type {(() => Promise<void>)[]} */
  #pending = [];
  /** @type {Promise<void> | undefined} */
  #running;
  #interrupt = () => {
    this.run().finally(() => process.exit(130));
  };

  constructor() {
    process.once('SIGINT', this.#interrupt);
    process.once('SIGTERM', this.#interrupt);
  }

  /** @param {() => Promise<void>} cleanup */
  add(cleanup) {
    this.#pending.push(cleanup);
  }

  /** Repeated calls wait for the same run. */
  run() {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll() {
    process.off('SIGINT', this.#interrupt);
    process.off('SIGTERM', this.#interrupt);
    for (let cleanup = this.#pending.pop(); cleanup !== undefined; cleanup = this.#pending.pop()) await cleanup();
  }
}
