/**
 * The clients, in a separate process. They write prepared requests to raw sockets. Per request this takes about a third
 * of the CPU time of node:http's client and a tenth of that of fetch, on cores that the server needs too.
 */
import { serveParent } from './child.mjs';
import { Connection } from './connection.mjs';
import { numberMark } from './number-mark.mjs';
import { takeTurn } from './turn.mjs';

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

/**
 * Throws for any status other than 200 and 201.
 * @param {Connection} client
 * @param {string} request
 */
async function exchange(client, request) {
  const { status, head } = await client.exchange(request);
  if (status !== 200 && status !== 201) throw new Error(`unexpected response:\n${head}`);
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
        return () => exchange(client, withNumber(own[next++ % own.length] ?? ''));
      });
      return await takeTurn(row, seconds, workers);
    } finally {
      for (const client of clients) client.close();
    }
  },
});
