import type { RequestContext } from './build-mcp-server.js';

const againMs = 1000;

/** Reports the progress of a tool call to a client that asked for it. Its numbers only grow, as the protocol demands. */
export class ToolProgress {
  readonly #token: string | number | undefined;
  readonly #send: RequestContext['sendNotification'];
  /** How often the client was told to wait. */
  #waits = 0;

  constructor(token: string | number | undefined, send: RequestContext['sendNotification']) {
    this.#token = token;
    this.#send = send;
  }

  /** Says every second that the call is waiting. A promise that has settled already is not reported. */
  async during<T>(work: Promise<T>, message: string): Promise<T> {
    const tell = () => void this.#tell(this.#waits++, undefined, message);
    const soon = setImmediate(tell);
    const often = setInterval(tell, againMs);
    try {
      return await work;
    } finally {
      clearImmediate(soon);
      clearInterval(often);
    }
  }

  async report(done: number, total: number, message: string): Promise<void> {
    await this.#tell(this.#waits + done, this.#waits + total, message);
  }

  async #tell(progress: number, total: number | undefined, message: string): Promise<void> {
    if (this.#token === undefined) return;
    const params = { progressToken: this.#token, progress, ...(total === undefined ? {} : { total }), message };
    // A client that has gone misses nothing.
    await this.#send({ method: 'notifications/progress', params }).catch(() => undefined);
  }
}
