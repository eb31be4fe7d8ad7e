import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * @typedef {object} Reply
 * @property {number} status
 * @property {string} head status line and headers
 * @property {number} bytes of the whole response
 */

/** One keep-alive connection, one request at a time. */
export class Connection {
  /** @type {Buffer | undefined} */
  #received;
  /** @type {{ done: (reply: Reply) => void, fail: (error: Error) => void } | undefined} */
  #waiting;
  #socket;
  #isOpen = true;

  /** @param {string} url */
  constructor(url) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    this.#socket.on('error', (error) => this.#lose(error));
    this.#socket.on('close', () => this.#lose(new Error('the server closed the connection')));
  }

  /** False once it was closed, by either side. */
  get isOpen() {
    return this.#isOpen;
  }

  opened() {
    return once(this.#socket, 'connect');
  }

  close() {
    this.#lose(new Error('the connection was closed'));
    this.#socket.destroy();
  }

  /**
   * Resolves when the whole response has arrived.
   * @param {string} request
   * @returns {Promise<Reply>}
   */
  exchange(request) {
    return new Promise((done, fail) => {
      if (!this.#isOpen) return fail(new Error('the connection is closed'));
      this.#waiting = { done, fail };
      this.#socket.write(request);
    });
  }

  /** @param {Error} error */
  #lose(error) {
    this.#isOpen = false;
    this.#waiting?.fail(error);
    this.#waiting = undefined;
  }

  /** @param {Buffer} chunk */
  #receive(chunk) {
    const bytes = this.#received === undefined ? chunk : Buffer.concat([this.#received, chunk]);
    this.#received = bytes;
    const headEnd = bytes.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = bytes.toString('latin1', 0, headEnd);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    const bodyLength = /\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? (status === 204 ? '0' : undefined);
    if (!status || bodyLength === undefined) {
      this.#lose(new Error(`unexpected response:\n${bytes}`));
    } else if (bytes.length >= headEnd + 4 + Number(bodyLength)) {
      this.#received = undefined;
      const waiting = this.#waiting;
      this.#waiting = undefined;
      waiting?.done({ status, head, bytes: bytes.length });
    }
  }
}
