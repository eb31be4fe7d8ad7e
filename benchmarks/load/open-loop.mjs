import { Connection } from '../support/connection.mjs';
import { Times } from './times.mjs';

/**
 * @typedef {object} Due A request that is to be sent at a time, whatever has become of those before it.
 * @property {string} text
 * @property {string} operation
 * @property {number} tenant
 * @property {number} dueMs since the start of the measured time, negative while warming up
 *
 * @typedef {object} LoopOptions
 * @property {string[]} urls of the nodes, which take turns
 * @property {number} connections at most, of all nodes together
 * @property {number} timeoutMs
 * @property {(due: Due, outcome: Pick<import('./outcomes.mjs').Outcome, 'how' | 'tookMs' | 'status' | 'saysWhen' | 'bytes'>) => void} onOutcome
 */

/**
 * Sends requests at a constant rate. A request is due at its time even if the server has not answered the ones before: it waits for a free
 * connection then, and its time counts from when it was due. So a server that stands still for a second is measured as slow for all that
 * came in that second, not for the one request that it was answering.
 */
export class OpenLoop {
  #options;
  /** @type {Connection[][]} by node */
  #idle;
  #opened = 0;
  #node = 0;
  /** @type {Due[]} */
  #waiting = [];
  #firstWaiting = 0;
  #startMs = 0;
  #pending = 0;
  /** @type {(() => void) | undefined} */
  #onDone;
  #late = new Times();

  /** @param {LoopOptions} options */
  constructor(options) {
    this.#options = options;
    this.#idle = options.urls.map(() => []);
  }

  /**
   * Resolves when every request has its outcome.
   * @param {{ rate: number, seconds: number, warmUpSeconds: number, next: (dueMs: number) => Due }} plan
   */
  async run({ rate, seconds, warmUpSeconds, next }) {
    const count = Math.round(rate * (seconds + warmUpSeconds));
    this.#startMs = performance.now() + warmUpSeconds * 1000;
    const done = new Promise((resolve) => {
      this.#onDone = () => resolve(undefined);
    });
    this.#pending = count;
    let sent = 0;
    const send = () => {
      const nowMs = performance.now() - this.#startMs;
      for (; sent < count; sent++) {
        const dueMs = (sent * 1000) / rate - warmUpSeconds * 1000;
        if (dueMs > nowMs) break;
        this.#late.add(nowMs - dueMs);
        this.#begin(next(dueMs));
      }
      if (sent < count) setTimeout(send, 1);
    };
    send();
    await done;
    for (const connection of this.#idle.flat()) connection.close();
    return { senderLate: this.#late.summarise(), connections: this.#opened };
  }

  /** @param {Due} due */
  #begin(due) {
    const connection = this.#takeConnection();
    if (connection === undefined) this.#waiting.push(due);
    else void this.#exchange(due, ...connection);
  }

  /** @returns {[Connection, number] | undefined} */
  #takeConnection() {
    const { urls, connections } = this.#options;
    this.#node = (this.#node + 1) % urls.length;
    const own = this.#takeIdle(this.#node);
    if (own !== undefined) return [own, this.#node];
    if (this.#opened < connections) {
      this.#opened += 1;
      return [new Connection(urls[this.#node] ?? ''), this.#node];
    }
    for (const node of urls.keys()) {
      const other = this.#takeIdle(node);
      if (other !== undefined) return [other, node];
    }
    return undefined;
  }

  /** @param {number} node */
  #takeIdle(node) {
    const idle = this.#idle[node] ?? [];
    for (let found = idle.pop(); found !== undefined; found = idle.pop()) {
      if (found.isOpen) return found;
      this.#opened -= 1;
    }
    return undefined;
  }

  /**
   * @param {Due} due
   * @param {Connection} connection
   * @param {number} node
   */
  async #exchange(due, connection, node) {
    let isOver = false;
    const giveUp = () => {
      isOver = true;
      connection.close();
    };
    const timer = setTimeout(giveUp, Math.max(1, this.#options.timeoutMs - this.#tookMs(due)));
    try {
      const { status, head, bytes } = await connection.exchange(due.text);
      const saysWhen = /\r\nretry-after: /i.test(head);
      this.#finish(due, { how: 'answered', tookMs: this.#tookMs(due), status, saysWhen, bytes });
    } catch {
      this.#finish(due, { how: isOver ? 'timed out' : 'lost', tookMs: this.#tookMs(due) });
    }
    clearTimeout(timer);
    if (!connection.isOpen) this.#opened -= 1;
    this.#goOn(connection, node);
  }

  /**
   * @param {Connection} connection
   * @param {number} node
   */
  #goOn(connection, node) {
    const { timeoutMs, urls } = this.#options;
    for (; this.#firstWaiting < this.#waiting.length; ) {
      const due = /** @type {Due} */ (this.#waiting[this.#firstWaiting++]);
      if (this.#tookMs(due) >= timeoutMs) {
        this.#finish(due, { how: 'timed out', tookMs: this.#tookMs(due) });
        continue;
      }
      if (!connection.isOpen) this.#opened += 1;
      void this.#exchange(due, connection.isOpen ? connection : new Connection(urls[node] ?? ''), node);
      return;
    }
    this.#waiting = [];
    this.#firstWaiting = 0;
    if (connection.isOpen) this.#idle[node]?.push(connection);
  }

  /** @param {Due} due */
  #tookMs({ dueMs }) {
    return performance.now() - this.#startMs - dueMs;
  }

  /**
   * @param {Due} due
   * @param {Parameters<LoopOptions['onOutcome']>[1]} outcome
   */
  #finish(due, outcome) {
    this.#options.onOutcome(due, outcome);
    this.#pending -= 1;
    if (this.#pending === 0) this.#onDone?.();
  }
}
