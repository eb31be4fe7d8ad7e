// Stands in for a message broker: a message is delivered until a worker has handled it. Those of a worker that died go to
// the next one. Every search is answered at once, and every answer is delivered twice, as brokers may do.
import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('worker.mjs', import.meta.url));
const retryMs = 200;

export class Bus extends EventEmitter {
  /** @type {{ event: string, taskId: string, result: unknown }[]} what workers published, other than searches */
  published = [];
  /** @type {Map<number, object>} messages that no worker has handled */
  #open = new Map();
  #lastId = 0;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #worker;

  /** Delivers a message to the worker, or to the next one. @param {object} message */
  publish(message) {
    const id = ++this.#lastId;
    this.#open.set(id, message);
    this.#deliver(id);
  }

  /**
   * Starts a worker and delivers what is open to it. Resolves when it exits.
   * @param {string} url @param {string} token @param {string} [dies] when it kills itself; absent: never
   * @returns {Promise<NodeJS.Signals | null>}
   */
  async runWorker(url, token, dies = '') {
    const worker = fork(program, [url, token, dies]);
    worker.on('message', (/** @type {any} */ message) => this.#receive(message));
    this.#worker = worker;
    const [, signal] = await once(worker, 'exit');
    this.#worker = undefined;
    return signal;
  }

  stopWorker() {
    this.#worker?.kill('SIGKILL');
  }

  /** Resolves when every message has been handled. */
  async settled() {
    while (this.#open.size > 0) await once(this, 'handled');
  }

  /** @param {any} message */
  #receive({ event, id, ...message }) {
    if (event === 'ready') for (const open of this.#open.keys()) this.#deliver(open);
    else if (event === 'failed') setTimeout(() => this.#deliver(id), retryMs);
    else if (event === 'handled') {
      this.#open.delete(id);
      this.emit('handled');
    } else if (event === 'web.search.requested') {
      const answer = { event: 'web.search.completed', ...message, text: `news about ${message.topic}` };
      this.publish(answer);
      this.publish(answer);
    } else {
      this.published.push({ event, ...message });
    }
  }

  /** @param {number} id */
  #deliver(id) {
    const message = this.#open.get(id);
    if (message !== undefined && this.#worker?.connected) this.#worker.send({ ...message, id });
  }
}
