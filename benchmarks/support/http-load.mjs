/**
 * The clients, in a separate process. They write prepared requests to raw sockets. Per request this takes about a third
 * of the CPU time of node:http's client and a tenth of that of fetch, on cores that the server needs too.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { serveParent } from './child.mjs';
import { numberMark } from './number-mark.mjs';
import { takeTurn } from './turn.mjs';

/** One keep-alive connection, one request at a time. */
class Connection {
  /** @type {Buffer | undefined} */
  #received;
  /** @type {{ done: () => void, fail: (error: Error) => void } | undefined} */
  #waiting;
  #socket;

  /** @param {string} url */
  constructor(url) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    this.#socket.on('error', (error) => this.#waiting?.fail(error));
    this.#socket.on('close', () => this.#waiting?.fail(new Error('the server closed the connection')));
  }

  opened() {
    return once(this.#socket, 'connect');
  }

  close() {
    this.#socket.destroy();
  }

  /**
   * Resolves when the whole response has arrived. Rejects for any status other than 200 and 201.
   * @param {string} request
   * @returns {Promise<void>}
   */
  exchange(request) {
    return new Promise((done, fail) => {
      this.#waiting = { done, fail };
      this.#socket.write(request);
    });
  }

  /** @param {Buffer} chunk */
  #receive(chunk) {
    const bytes = this.#received === undefined ? chunk : Buffer.concat([this.#received, chunk]);
    this.#received = bytes;
    const headEnd = bytes.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = bytes.toString('latin1', 0, headEnd);
    const bodyLength = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (!/^HTTP\/1\.1 20[01] /.test(head) || bodyLength === undefined) {
      this.#waiting?.fail(new Error(`unexpected response:\n${bytes}`));
    } else if (bytes.length >= headEnd + 4 + Number(bodyLength)) {
      this.#received = undefined;
      const waiting = this.#waiting;
      this.#waiting = undefined;
      waiting?.done();
    }
  }
}

let sent = 0;

/**
 * Replaces the mark in a request with a new number of the same length.
 * @param {string} request
 */
function withNumber(request) {
  if (!request.includes(numberMark)) return request;
  sent += 1;
  return request.replaceAll(numberMark, String(sent).padStart(numberMark.length, '0'));
}

/** @type {Map<string, { url: string, requests: Record<string, string[][]> }>} */
const targets = new Map();

serveParent({
  /** @param {{ target: string, url: string, requests: Record<string, string[][]> }} input requests by operation and client */
  async prepare({ target, url, requests }) {
    targets.set(target, { url, requests });
  },

  /** @param {{ row?: string, target: string, operation: string, connections: number, seconds: number }} input */
  async turn({ row, target, operation, connections, seconds }) {
    const { url, requests } = targets.get(target) ?? { url: '', requests: {} };
    const clients = Array.from({ length: connections }, () => new Connection(url));
    await Promise.all(clients.map((client) => client.opened()));
    try {
      const workers = clients.map((client, index) => {
        const own = requests[operation]?.[index] ?? [];
        let next = 0;
        return () => client.exchange(withNumber(own[next++ % own.length] ?? ''));
      });
      return await takeTurn(row, seconds, workers);
    } finally {
      for (const client of clients) client.close();
    }
  },
});
