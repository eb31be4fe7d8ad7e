/** How long a suspect lets other jobs go first, and then how long it waits for running ones to end. */
const defaultPatienceMs = 5000;
/** How long a running suspect keeps other jobs from starting. A job may take hours. */
const defaultAloneMs = 30_000;

interface Situation {
  suspectsDue: boolean;
  othersDue: boolean;
  running: number;
  nowMs: number;
}

/**
 * Decides what a process may start next. A suspect may end the process that runs it, so it runs after the other jobs and
 * without them. But it does not wait forever behind them, nor they behind it.
 */
export class SuspectTurn {
  readonly #patienceMs: number;
  readonly #aloneMs: number;
  #waitingSinceMs: number | undefined;
  #aloneUntilMs = 0;

  constructor({ patienceMs = defaultPatienceMs, aloneMs = defaultAloneMs } = {}) {
    this.#patienceMs = patienceMs;
    this.#aloneMs = aloneMs;
  }

  next({ suspectsDue, othersDue, running, nowMs }: Situation): 'others' | 'suspect' | 'nothing' {
    if (nowMs < this.#aloneUntilMs) return 'nothing';
    if (!suspectsDue) {
      this.#waitingSinceMs = undefined;
      return 'others';
    }
    this.#waitingSinceMs ??= nowMs;
    const waitedMs = nowMs - this.#waitingSinceMs;
    if (waitedMs < this.#patienceMs && (othersDue || running > 0)) return 'others';
    return running === 0 || waitedMs >= 2 * this.#patienceMs ? 'suspect' : 'nothing';
  }

  begin(nowMs: number): void {
    this.#waitingSinceMs = undefined;
    this.#aloneUntilMs = nowMs + this.#aloneMs;
  }

  end(): void {
    this.#aloneUntilMs = 0;
  }
}
