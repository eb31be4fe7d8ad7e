export interface CircuitOptions {
  /** Number of consecutive failures that open it. */
  failures: number;
  openMs: number;
  now?: () => number;
}

export type CircuitState = 'closed' | 'open' | 'half-open';

/**
 * Keeps calls away from a failing service. After several consecutive failures it is open: it rejects all calls for a
 * while. Then it lets one trial call through, and rejects the others until that call ends.
 */
export class CircuitBreaker {
  readonly #options: CircuitOptions;
  readonly #now: () => number;
  #failures = 0;
  #openedAt: number | undefined;
  #onTrial = false;

  constructor(options: CircuitOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get state(): CircuitState {
    if (this.#openedAt === undefined) return 'closed';
    return this.#remainingMs() > 0 ? 'open' : 'half-open';
  }

  /** How long calls are rejected; 0 if a call may go through. */
  get waitMs(): number {
    if (this.#openedAt === undefined) return 0;
    return this.#onTrial ? this.#options.openMs : this.#remainingMs();
  }

  /**
   * Returns whether a call may go through. If so, the caller must then call exactly one of `succeeded`, `failed` and
   * `abandoned`.
   */
  enter(): boolean {
    if (this.waitMs > 0) return false;
    this.#onTrial = this.#openedAt !== undefined;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openedAt = undefined;
    this.#onTrial = false;
  }

  failed(): void {
    this.#failures++;
    const trialFailed = this.#onTrial;
    this.#onTrial = false;
    if (trialFailed || (this.#openedAt === undefined && this.#failures >= this.#options.failures)) {
      this.#openedAt = this.#now();
    }
  }

  /** The caller gave up, which says nothing about the service. */
  abandoned(): void {
    this.#onTrial = false;
  }

  #remainingMs(): number {
    return Math.max(0, (this.#openedAt ?? 0) + this.#options.openMs - this.#now());
  }
}
