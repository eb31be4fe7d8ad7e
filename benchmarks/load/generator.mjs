/** Sends the load, in a process of its own: what it uses of a processor is reported apart from what the server uses. */
import { randomNumbers } from '../speed/sentences.mjs';
import { serveParent } from '../support/child.mjs';
import { Connection } from '../support/connection.mjs';
import { fillRequests, mix, pickOperation } from './mix.mjs';
import { OpenLoop } from './open-loop.mjs';
import { Outcomes } from './outcomes.mjs';
import { Population } from './population.mjs';

/** Clients give up after this time. */
const timeoutMs = 10_000;

let urls = /** @type {string[]} */ ([]);
let population = new Population(1, 0);
let sent = 0;

/**
 * Runs each task with several connections, one after the other on each.
 * @param {number} connections
 * @param {() => string | undefined} next
 */
async function drain(connections, next) {
  const times = [];
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const connection = new Connection(urls[index % urls.length] ?? '');
      for (let text = next(); text !== undefined; text = next()) {
        const since = performance.now();
        const { status, head } = await connection.exchange(text);
        if (status >= 300) throw new Error(`unexpected response:\n${head}`);
        times.push(performance.now() - since);
      }
      connection.close();
    }),
  );
  return times.length;
}

/** @param {string} [only] the only operation */
function makeNext(only) {
  const random = randomNumbers(sent);
  return () => {
    const operation = only ?? pickOperation(random());
    const { tenant, member } = population.pick(random);
    sent += 1;
    return { operation, tenant, text: mix[operation]?.toRequest(member, sent) ?? '' };
  };
}

serveParent({
  /** @param {{ urls: string[], secret: string, tenants: number, exponent: number }} input */
  async prepare({ urls: all, secret, tenants, exponent }) {
    urls = all;
    population = new Population(tenants, exponent);
    await population.sign(secret);
  },

  /** Gives every user a document and a state. */
  async fill() {
    let number = 0;
    const open = population.members.flatMap((member) => fillRequests(member, ++number));
    open.reverse();
    return drain(8, () => open.pop());
  },

  /**
   * As many requests as the connections take, each sent after the answer to the one before: shows the capacity, or the cost of an operation.
   * @param {{ connections: number, seconds?: number, count?: number, operation?: string }} input
   */
  async closed({ connections, seconds = 60, count = Number.POSITIVE_INFINITY, operation }) {
    const next = makeNext(operation);
    const startMs = performance.now();
    const endMs = startMs + seconds * 1000;
    let left = count;
    const done = await drain(connections, () => (left-- > 0 && performance.now() < endMs ? next().text : undefined));
    return { requests: done, seconds: (performance.now() - startMs) / 1000 };
  },

  /** @param {{ rate: number, seconds: number, warmUpSeconds: number, connections: number, intervalSeconds: number }} input */
  async open({ rate, seconds, warmUpSeconds, connections, intervalSeconds }) {
    const next = makeNext();
    const outcomes = new Outcomes(intervalSeconds * 1000);
    const loop = new OpenLoop({
      urls,
      connections,
      timeoutMs,
      onOutcome: ({ operation, tenant, dueMs }, outcome) => {
        if (dueMs >= 0) outcomes.add({ operation, tenant, dueMs, ...outcome });
      },
    });
    const run = await loop.run({ rate, seconds, warmUpSeconds, next: (dueMs) => ({ ...next(), dueMs }) });
    return { rate, seconds, ...outcomes.summarise(), ...run };
  },
});
