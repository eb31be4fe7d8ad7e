import { setTimeout as sleep } from 'node:timers/promises';
import type { Telemetry } from '../ports/telemetry.js';
import type { JobFailure, TakenJob, WorkQueue } from '../ports/work-queue.js';
import type { Job, JobContext } from './job.js';

export interface JobRunnerOptions {
  queue: WorkQueue;
  jobs: readonly Job[];
  context: JobContext;
  telemetry: Telemetry;
  onFault(error: unknown, doing: string): void;
  /** Between two looks for what other processes added; default 2000. */
  pollMs?: number;
  /** How long running jobs may go on after `close`; then they are told to stop and given back. Default 5000. */
  graceMs?: number;
}

const defaults = { pollMs: 2000, graceMs: 5000 };

/**
 * Runs what is in the queue until closed: what this process enqueues at once, what others do when it next looks. One loop
 * looks for work, sees to schedules and keeps the leases of what is running; handlers run beside it.
 */
export class JobRunner {
  readonly #options: Required<JobRunnerOptions>;
  readonly #running = new Map<TakenJob, { controller: AbortController; ended: Promise<void> }>();
  /** The last period of each schedule that needs nothing more. */
  readonly #periods = new Map<string, number>();
  #closing = false;
  #woken = false;
  #pause = new AbortController();
  #loop: Promise<void> | undefined;
  #keptAtMs = Date.now();
  #maintainedAtMs = Date.now();
  #faulty = false;

  constructor(options: JobRunnerOptions) {
    this.#options = { ...defaults, ...options };
  }

  start(): void {
    this.#options.queue.onEnqueued(() => this.#wake());
    this.#loop ??= this.#run();
  }

  /** Takes nothing more, and waits for what is running. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#wake();
    await this.#loop;
    const ended = Promise.all([...this.#running.values()].map((one) => one.ended));
    const late = new AbortController();
    await Promise.race([
      ended,
      sleep(this.#options.graceMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
    for (const { controller } of this.#running.values()) controller.abort(new Error('the process is stopping'));
    await ended;
  }

  #wake(): void {
    this.#woken = true;
    this.#pause.abort();
  }

  async #run(): Promise<void> {
    while (!this.#closing) {
      if (!this.#woken) {
        this.#pause = new AbortController();
        await sleep(this.#options.pollMs, undefined, { signal: this.#pause.signal, ref: false }).catch(() => undefined);
      }
      this.#woken = false;
      if (this.#closing) return;
      try {
        await this.#round();
        this.#faulty = false;
      } catch (error) {
        // An outage is told once, not every two seconds.
        if (!this.#faulty) this.#options.onFault(error, 'looking for jobs');
        this.#faulty = true;
      }
    }
  }

  async #round(): Promise<void> {
    const { queue, jobs } = this.#options;
    const { due, now } = await queue.look(jobs.map(({ name }) => name));
    await this.#schedule(now);
    await this.#keepLeases();
    for (const job of jobs) {
      const free = job.concurrency - this.#count(job);
      if (!due.includes(job.name) || free < 1 || this.#closing) continue;
      for (const taken of await queue.take(job.name, free)) this.#begin(job, taken);
    }
    if (Date.now() - this.#maintainedAtMs < this.#thirdOfLeaseMs) return;
    this.#maintainedAtMs = Date.now();
    await queue.maintain();
  }

  get #thirdOfLeaseMs(): number {
    return (this.#options.queue.leaseSeconds * 1000) / 3;
  }

  #count({ name }: Job): number {
    return [...this.#running.keys()].filter(({ job }) => job === name).length;
  }

  async #schedule(now: Date): Promise<void> {
    for (const { name, everySeconds } of this.#options.jobs) {
      if (everySeconds === undefined) continue;
      const period = Math.floor(now.getTime() / 1000 / everySeconds);
      if (this.#periods.get(name) === period) continue;
      const outcome = await this.#options.queue.schedule(name, everySeconds);
      if (outcome !== 'busy') this.#periods.set(name, period);
      if (outcome === 'added') this.#wake();
    }
  }

  async #keepLeases(): Promise<void> {
    const { queue } = this.#options;
    if (this.#running.size === 0 || Date.now() - this.#keptAtMs < this.#thirdOfLeaseMs) return;
    this.#keptAtMs = Date.now();
    const kept = await queue.keep([...this.#running.keys()]);
    for (const [taken, { controller }] of this.#running) {
      if (!kept.has(taken.id)) controller.abort(new LeaseLost());
    }
  }

  #begin(job: Job, taken: TakenJob): void {
    const controller = new AbortController();
    const ended = this.#attempt(job, taken, controller.signal).finally(() => {
      this.#running.delete(taken);
      this.#wake();
    });
    this.#running.set(taken, { controller, ended });
  }

  /** Never rejects. A job whose end cannot be written down is run again when its lease is over. */
  async #attempt(job: Job, taken: TakenJob, signal: AbortSignal): Promise<void> {
    const { queue, context, telemetry, onFault } = this.#options;
    const startedMs = performance.now();
    const tell = (outcome: JobOutcome) =>
      telemetry.observeJob(job.name, outcome, (performance.now() - startedMs) / 1000);
    const doing = `job ${job.name} ${taken.id}, attempt ${taken.attempt}`;
    try {
      const [end] = await Promise.allSettled([job.run(context, taken.payload, signal)]);
      if (end.status === 'fulfilled') {
        tell('completed');
        await queue.complete(taken, end.value);
      } else if (signal.aborted) {
        tell('released');
        if (!(signal.reason instanceof LeaseLost)) await queue.release([taken]);
      } else {
        tell(taken.lastAttempt ? 'failed' : 'retried');
        onFault(end.reason, doing);
        await queue.fail(taken, toFailure(end.reason));
      }
    } catch (error) {
      onFault(error, `${doing}: writing down how it ended`);
    }
  }
}

/** `released`: not done, and no fault of the job; `failed`: a dead letter now. */
export type JobOutcome = 'completed' | 'retried' | 'failed' | 'released';

class LeaseLost extends Error {}

/** The log has the whole error; its message may quote data, and this is kept for weeks. */
function toFailure(error: unknown): JobFailure {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return { type: error.name, ...code };
}
