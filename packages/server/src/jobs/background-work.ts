import { setTimeout as sleep } from 'node:timers/promises';

export interface BackgroundTask {
  name: string;
  everyMs: number;
  run(signal: AbortSignal): Promise<void>;
}

/** Runs tasks again and again, each by itself, until closed. A task that fails is tried again when its time comes. */
export class BackgroundWork {
  readonly #controller = new AbortController();
  readonly #onFault: (error: unknown, doing: string) => void;
  readonly #wakers = new Map<string, () => void>();
  readonly #woken = new Set<string>();
  readonly #loops: Promise<void>[] = [];

  constructor(onFault: (error: unknown, doing: string) => void) {
    this.#onFault = onFault;
  }

  start(task: BackgroundTask): void {
    this.#loops.push(this.#loop(task));
  }

  /** Runs a task soon, without waiting for its time. Several calls before it begins count as one. */
  wake(name: string): void {
    this.#woken.add(name);
    this.#wakers.get(name)?.();
  }

  async close(): Promise<void> {
    this.#controller.abort();
    await Promise.all(this.#loops);
  }

  async #loop({ name, everyMs, run }: BackgroundTask): Promise<void> {
    const { signal } = this.#controller;
    while (!signal.aborted) {
      await this.#wait(name, everyMs);
      if (signal.aborted) return;
      try {
        await run(signal);
      } catch (error) {
        if (!signal.aborted) this.#onFault(error, name);
      }
    }
  }

  /** Until the time has come, somebody wakes the task, or all is over. */
  async #wait(name: string, everyMs: number): Promise<void> {
    if (this.#woken.delete(name)) return;
    const timer = new AbortController();
    const stop = () => timer.abort();
    this.#wakers.set(name, stop);
    this.#controller.signal.addEventListener('abort', stop, { once: true });
    await sleep(everyMs, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
    this.#controller.signal.removeEventListener('abort', stop);
    this.#woken.delete(name);
  }
}
