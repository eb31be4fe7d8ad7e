import type { Problem } from '@memhall/core';
import { overloaded } from './overloaded.js';

interface TurnsOptions {
  /** How many requests are worked on while work is behind. A higher number would finish nothing sooner: requests would wait elsewhere, in order of arrival. */
  atOnce: number;
  /** Refuses a request that would wait longer than this. 0 never refuses a request. */
  longestWaitMs: number;
  /** Whether requests wait for what this process has little of. If they wait for another service, more of them can begin. */
  isBehind(): boolean;
  now(): number;
}

interface Waiting {
  sinceMs: number;
  begin(): void;
  refuse(problem: Problem): void;
}

/** The time between turns is a mean of about this many. */
const remembered = 20;

/**
 * Lets requests begin, and while work is behind, tenant by tenant: one that sends a thousand makes others wait for one of them, not for all.
 * A request that would wait too long is refused at once.
 */
export class Turns {
  readonly #options: TurnsOptions;
  /** By tenant, in the order in which they have their turns. */
  readonly #lines = new Map<string, Waiting[]>();
  #waiting = 0;
  #begun = 0;
  #lastTurnMs: number | undefined;
  #betweenTurnsMs = 0;
  /** Number of times between turns that were measured, up to `remembered`. */
  #measured = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Number of requests that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Resolves when the request may begin, with what has to be called at its end. Throws UNAVAILABLE. */
  async take(tenantId: string): Promise<() => void> {
    if (this.#waiting > 0 || this.#isFull()) await this.#wait(tenantId);
    else this.#begun += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#begun -= 1;
      this.#goOn();
    };
  }

  /** To be called every so often: refuses those that have waited too long, and goes on if work is not behind any more. */
  look(): void {
    const { longestWaitMs, now } = this.#options;
    if (this.#waiting === 0) return;
    if (longestWaitMs > 0) {
      for (const tenantId of [...this.#lines.keys()]) this.#refuseOld(tenantId, now() - longestWaitMs);
    }
    this.#goOn();
  }

  #isFull(): boolean {
    return this.#begun >= this.#options.atOnce && this.#options.isBehind();
  }

  #wait(tenantId: string): Promise<void> {
    const { longestWaitMs, now } = this.#options;
    const line = this.#lines.get(tenantId) ?? [];
    const expectedMs = this.#turnsBefore(line.length) * this.#betweenTurnsMs;
    if (longestWaitMs > 0 && expectedMs > longestWaitMs) throw tooBusy(expectedMs);
    return new Promise((begin, refuse) => {
      line.push({ sinceMs: now(), begin, refuse });
      this.#lines.set(tenantId, line);
      this.#waiting += 1;
    });
  }

  /** Returns how many others have a turn before a tenant with a line of this length has its next but so many. */
  #turnsBefore(length: number): number {
    let turns = 0;
    for (const line of this.#lines.values()) turns += Math.min(line.length, length + 1);
    return turns;
  }

  #goOn(): void {
    while (this.#waiting > 0 && !this.#isFull()) this.#beginNext();
    if (this.#waiting === 0) this.#lastTurnMs = undefined;
  }

  #beginNext(): void {
    const [next] = this.#lines;
    if (next === undefined) return;
    const [tenantId, line] = next;
    const first = line.shift();
    this.#lines.delete(tenantId);
    if (line.length > 0) this.#lines.set(tenantId, line);
    if (first === undefined) return;
    this.#waiting -= 1;
    this.#begun += 1;
    this.#noteTurn();
    first.begin();
  }

  #noteTurn(): void {
    const nowMs = this.#options.now();
    if (this.#lastTurnMs !== undefined) {
      this.#measured = Math.min(this.#measured + 1, remembered);
      this.#betweenTurnsMs += (nowMs - this.#lastTurnMs - this.#betweenTurnsMs) / this.#measured;
    }
    this.#lastTurnMs = nowMs;
  }

  #refuseOld(tenantId: string, beforeMs: number): void {
    const line = this.#lines.get(tenantId) ?? [];
    for (let first = line[0]; first !== undefined && first.sinceMs < beforeMs; first = line[0]) {
      line.shift();
      this.#waiting -= 1;
      first.refuse(tooBusy(this.#options.longestWaitMs));
    }
    if (line.length === 0) this.#lines.delete(tenantId);
  }
}

function tooBusy(waitMs: number): Problem {
  return overloaded(Math.max(1, Math.ceil(waitMs / 1000)));
}
