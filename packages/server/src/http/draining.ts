import { setTimeout as sleep } from 'node:timers/promises';

/** The time in which a server that is about to stop still serves, so that load balancers notice first. */
export class Draining {
  readonly #drainMs: number;
  #hasBegun = false;

  constructor(drainMs: number) {
    this.#drainMs = drainMs;
  }

  /** From then on the server says that it is not ready, and asks its clients to connect again. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  async run(): Promise<void> {
    this.#hasBegun = true;
    await sleep(this.#drainMs);
  }
}
