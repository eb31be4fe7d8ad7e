import { setTimeout as sleep } from 'node:timers/promises';
import type { LoopMarks } from '../ports/loop-marks.js';
import type { Telemetry } from '../ports/telemetry.js';
import type { JobFailure, TakenJob, WorkQueue } from '../ports/work-queue.js';
import type { Job, JobContext } from './job.js';
import { SuspectTurn } from './suspect-turn.js';

interface JobRunnerOptions {
  queue: WorkQueue;
  jobs: readonly Job[];
  context: JobContext;
  telemetry: Telemetry;
  marks: LoopMarks;
  onFault(error: unknown, doing: string): void;
  /** Interval at which jobs added by other processes are looked for. Default: 2000. */
  pollMs?: number;
  /** How long running jobs may continue after `close` before they are aborted and released. Default: 5000. */
  graceMs?: number;
  /** When jobs run whose process died. */
  suspects?: SuspectTurn;
  /** The processes of jobs that were taken before this time are dead, so there is no need to wait for their leases to expire. */
  deadBefore?: Date | undefined;
}

/**
 * Runs queued jobs until closed. Jobs enqueued by this process start immediately, jobs of other processes at the next
 * poll. One loop polls for jobs, enqueues scheduled ones and renews the leases of running ones; handlers run
 * concurrently with it.
 */
export class JobRunner {
  readonly #options: Required<Omit<JobRunnerOptions, 'deadBefore'>>;
  readonly #running = new Map<TakenJob, { controller: AbortController; ended: Promise<void> }>();
  /** The last period of each schedule that has been handled. */
  readonly #periods = new Map<string, number>();
  #closing = false;
  #woken = false;
  #pause = new AbortController();
  #loop: Promise<void> | undefined;
  #keptAtMs = Date.now();
  #maintainedAtMs = 0;
  #faulty = false;
  #deadBefore: Date | undefined;

  constructor({ deadBefore, ...options }: JobRunnerOptions) {
    this.#deadBefore = deadBefore;
    this.#options = { pollMs: 2000, graceMs: 5000, suspects: new SuspectTurn(), ...options };
  }

  start(): void {
    this.#options.queue.onEnqueued(() => this.#wake());
    this.#loop ??= this.#run();
  }

  /** Takes no more jobs, and waits for running ones to end. */
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
        // An outage is logged once, not on every poll.
        if (!this.#faulty) this.#options.onFault(error, 'looking for jobs');
        this.#faulty = true;
      }
    }
  }

  async #round(): Promise<void> {
    const { queue, jobs, suspects } = this.#options;
    const names = jobs.map(({ name }) => name);
    if (this.#deadBefore !== undefined) await queue.suspectAll(this.#deadBefore);
    this.#deadBefore = undefined;
    const { due, suspects: suspectsDue, now } = await queue.look(names);
    await this.#schedule(now);
    await this.#keepLeases();
    const situation = { suspectsDue, othersDue: due.length > 0, running: this.#running.size, nowMs: Date.now() };
    const next = suspects.next(situation);
    if (next === 'others') await this.#takeDue(due);
    if (next === 'suspect') await this.#takeSuspect(names);
    if (Date.now() - this.#maintainedAtMs < this.#thirdOfLeaseMs) return;
    this.#maintainedAtMs = Date.now();
    await queue.maintain();
  }

  async #takeDue(due: readonly string[]): Promise<void> {
    const { queue, jobs } = this.#options;
    for (const job of jobs) {
      const free = job.concurrency - this.#count(job);
      if (!due.includes(job.name) || free < 1 || this.#closing) continue;
      for (const taken of await queue.take(job.name, free)) this.#begin(job, taken);
    }
  }

  async #takeSuspect(names: readonly string[]): Promise<void> {
    const { queue, jobs, suspects } = this.#options;
    const taken = this.#closing ? undefined : await queue.takeSuspect(names);
    const job = jobs.find(({ name }) => name === taken?.job);
    if (taken === undefined || job === undefined) return;
    suspects.begin(Date.now());
    this.#begin(job, taken);
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
      if (taken.deaths > 0) this.#options.suspects.end();
      this.#wake();
    });
    this.#running.set(taken, { controller, ended });
  }

  /** Never rejects. A job whose outcome cannot be recorded runs again after its lease expires. */
  async #attempt(job: Job, taken: TakenJob, signal: AbortSignal): Promise<void> {
    const { queue, context, telemetry, marks, onFault } = this.#options;
    marks.mark(`job:${job.name}`);
    const startedMs = performance.now();
    const observe = (outcome: JobOutcome) =>
      telemetry.observeJob(job.name, outcome, (performance.now() - startedMs) / 1000);
    const doing = `job ${job.name} ${taken.id}, attempt ${taken.attempt}`;
    try {
      if (taken.isSpent) {
        await job.giveUp?.(context, taken.payload);
        observe('failed');
        onFault(new Error(`${taken.deaths} processes died while they ran it`), doing);
        return await queue.bury(taken);
      }
      const [end] = await Promise.allSettled([job.run(context, taken.payload, signal)]);
      if (end.status === 'fulfilled') {
        observe('completed');
        await queue.complete(taken, end.value);
      } else if (signal.aborted) {
        observe('released');
        if (!(signal.reason instanceof LeaseLost)) await queue.release([taken]);
      } else {
        observe(taken.lastAttempt ? 'failed' : 'retried');
        onFault(end.reason, doing);
        await queue.fail(taken, toFailure(end.reason));
      }
    } catch (error) {
      onFault(error, `${doing}: recording its outcome`);
    }
  }
}

/** `released`: stopped by a shutdown or a lost lease, runs again. `failed`: no attempts left. */
type JobOutcome = 'completed' | 'retried' | 'failed' | 'released';

class LeaseLost extends Error {}

/** Omits the error message, which may quote user data and would be stored for weeks. The log has the whole error. */
function toFailure(error: unknown): JobFailure {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return { type: error.name, ...code };
}
