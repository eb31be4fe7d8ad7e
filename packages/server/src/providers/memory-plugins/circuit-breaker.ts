export interface CircuitOptions {
  /** Failures in a row that open it. */
  failures: number;
  openMs: number;
  now?: () => number;
}

export type CircuitState = 'closed' | 'open' | 'half-open';

/**
 * Keeps calls away from a service that fails. After some failures in a row it is open: nothing gets through for a while. Then
 * one call is let through as a trial, and the others wait for how it ends.
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

  /** How long it stays shut; 0 when a call may go through. */
  get waitMs(): number {
    if (this.#openedAt === undefined) return 0;
    return this.#onTrial ? this.#options.openMs : this.#remainingMs();
  }

  /**
   * Whether a call may go through. If so, exactly one of `succeeded`, `failed` and `abandoned` must be told of it.
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
