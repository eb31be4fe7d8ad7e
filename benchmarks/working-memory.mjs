import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signToken } from '../packages/server/dist/cli/sign-token.js';
import { startChild } from './support/child.mjs';
import { startMemhall } from './support/memhall-server.mjs';
import { onEachDatabase } from './support/on-each-database.mjs';
import { Progress } from './support/progress.mjs';
import { describeMachine, median, round, toTable, writeResult } from './support/report.mjs';
import { measure, summarise, summaryTable, toRows } from './support/rounds.mjs';

/**
 * @typedef {import('./support/options.mjs').Options} Options
 * @typedef {import('./support/rounds.mjs').Row} Row
 * @typedef {import('./support/rounds.mjs').TakeTurn} TakeTurn
 * @typedef {import('./support/turn.mjs').Turn} Turn
 *
 * @typedef {object} Setup
 * @property {string} serverVersion
 * @property {number} poolSize
 * @property {Record<string, string[][]>} statements
 * @property {TakeTurn} turn
 */

const variants = ['bare Fastify', 'SQL sequential', 'SQL pipelined', 'Memhall'];
const yardsticks = variants.slice(0, 3);
const keys = Array.from({ length: 8 }, (_, index) => `step-${index}`);
const pathOf = (/** @type {string} */ key) => `/v1/memory/working/benchmark/${key}`;
/** What an agent stores between two steps: about 300 bytes. */
const value = {
  status: 'in_progress',
  step: 3,
  summary: 'Compared the three suppliers; the second one misses the delivery date by four days.',
  next: ['ask for a partial delivery', 'check the contract for penalties'],
  sources: [{ title: 'Offer 2024-118', page: 4 }],
  confidence: 0.82,
};
/** @param {Options} options */
export async function runWorkingMemory(options) {
  await onEachDatabase(options.databases, (place) => runOn(place, options));
}

/**
 * @param {import('./support/on-each-database.mjs').Place} place
 * @param {Options} options
 */
async function runOn({ database, databaseUrl, cleanups }, options) {
  const rows = toRows(options, variants);
  const progress = new Progress(database, rows.length * (options.rounds + 1 / options.connections.length));
  progress.step('starting database, servers and clients');
  const setup = await prepare(databaseUrl, options, cleanups);
  await measure(rows, setup.turn, options, progress);
  progress.finish();
  report(database, rows, setup, options);
}

/**
 * @param {string | undefined} databaseUrl
 * @param {Options} options
 * @param {import('./support/cleanups.mjs').Cleanups} cleanups
 * @returns {Promise<Setup>}
 */
async function prepare(databaseUrl, options, cleanups) {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-benchmark-'));
  cleanups.add(async () => rmSync(directory, { recursive: true, force: true }));
  const jwtSecret = randomBytes(32).toString('hex');
  const { profileDirectory } = options;
  const memhall = await startMemhall({ directory, databaseUrl, jwtSecret, profileDirectory });
  cleanups.add(memhall.stop);
  const [loop, bare, clients] = ['./sql-loop.mjs', './bare-server.mjs', './http-load.mjs'].map((file) => {
    const child = startChild(file);
    cleanups.add(child.stop);
    return child;
  });
  if (loop === undefined || bare === undefined || clients === undefined) throw new Error('no children');

  const users = Array.from({ length: Math.max(...options.connections) }, (_, index) => `user-${index}`);
  const tokens = await Promise.all(
    users.map((user) => signToken(jwtSecret, { tenant: 'benchmark', user, ttlSeconds: 24 * 3600 })),
  );
  const sample = await fill(memhall.url, tokens);
  const bareUrl = await bare.call('listen', { path: pathOf(':key'), ...sample });
  const requests = { put: tokens.map((token) => toRequests('PUT', token)), get: tokens.map(getRequests) };
  await clients.call('prepare', { target: 'Memhall', url: memhall.url, requests });
  await clients.call('prepare', { target: 'bare Fastify', url: bareUrl, requests });
  // An embedded database belongs to one process, so the loop gets its own.
  const flags = { dataDirectory: join(directory, 'loop-data'), ...(databaseUrl && { databaseUrl }) };
  const opened = await loop.call('open', { flags, users, keys, value });
  return {
    ...opened,
    turn({ variant, operation, connections }, seconds, keep) {
      const row = keep ? `${variant} ${operation} ${connections}` : undefined;
      const common = { row, operation, connections, seconds };
      return variant.startsWith('SQL ')
        ? loop.call('turn', { ...common, flavour: variant.slice(4) })
        : clients.call('turn', { ...common, target: variant });
    },
  };
}

/**
 * Stores every value once, so that there is something to read. Returns one response for the bare route to repeat.
 * @param {string} url
 * @param {string[]} tokens
 */
async function fill(url, tokens) {
  const sample = { headers: /** @type {Record<string, string>} */ ({}), body: /** @type {unknown} */ (undefined) };
  for (const token of tokens) {
    for (const key of keys) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(url + pathOf(key), { method: 'PUT', headers, body: JSON.stringify({ value }) });
      if (answer.status !== 200) throw new Error(`a PUT returned ${answer.status}: ${await answer.text()}`);
      sample.headers = withoutFraming(answer.headers);
      sample.body = await answer.json();
    }
  }
  return sample;
}

/** @param {Headers} headers */
function withoutFraming(headers) {
  const framing = ['content-length', 'date', 'connection', 'keep-alive'];
  return Object.fromEntries([...headers].filter(([name]) => !framing.includes(name)));
}

/** @param {string} token */
function getRequests(token) {
  return toRequests('GET', token);
}

/**
 * @param {'PUT' | 'GET'} method
 * @param {string} token
 */
function toRequests(method, token) {
  const body = method === 'PUT' ? JSON.stringify({ value }) : '';
  const bodyHeaders =
    method === 'PUT' ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` : '';
  return keys.map(
    (key) =>
      `${method} ${pathOf(key)} HTTP/1.1\r\nHost: benchmark\r\nAuthorization: Bearer ${token}\r\n${bodyHeaders}\r\n${body}`,
  );
}

/**
 * @param {string} database
 * @param {Row[]} rows
 * @param {Setup} setup
 * @param {Options} options
 */
function report(database, rows, setup, options) {
  const summaries = rows.map(summarise);
  const ratios = rows.filter(({ variant }) => variant === 'Memhall').flatMap((row) => toRatios(row, rows));
  const machine = { ...describeMachine(), postgres: setup.serverVersion.split(' ')[0] };
  const { seconds, rounds } = options;
  const file = writeResult(`working-memory-${database}`, {
    benchmark: 'working-memory',
    database,
    date: new Date().toISOString().slice(0, 10),
    machine,
    settings: { seconds, rounds, poolSize: setup.poolSize },
    statements: setup.statements,
    rows: summaries,
    ratios,
  });
  const heading = `${database === 'embedded' ? 'Embedded' : 'PostgreSQL'} (${machine.postgres}), ${machine.cores} cores, Node ${machine.node}`;
  console.log(`\n${heading}\n\n${summaryTable(summaries)}\n\n${ratioTable(ratios)}\n\nWritten to ${file}`);
}

/**
 * Compares Memhall with each yardstick: the ratio of the medians of the rounds' p50, and the lowest and highest ratio of
 * a single round, which show how far to trust it.
 * @param {Row} memhall
 * @param {Row[]} rows
 */
function toRatios({ operation, connections, turns }, rows) {
  return yardsticks.map((yardstick) => {
    const other = rows.find(
      (row) => row.variant === yardstick && row.operation === operation && row.connections === connections,
    );
    const theirs = other?.turns ?? [];
    const p50 = (/** @type {Turn[]} */ of) => median(of.map((turn) => turn.p50Ms));
    const rate = (/** @type {Turn[]} */ of) => median(of.map((turn) => turn.requestsPerSecond));
    const each = turns.map((turn, index) => turn.p50Ms / (theirs[index]?.p50Ms ?? Number.NaN));
    return {
      operation,
      connections,
      yardstick,
      latencyP50: round(p50(turns) / p50(theirs), 2),
      latencyP50Least: round(Math.min(...each), 2),
      latencyP50Greatest: round(Math.max(...each), 2),
      requestsPerSecond: round(rate(turns) / rate(theirs), 2),
    };
  });
}

/** @param {ReturnType<typeof toRatios>} ratios */
function ratioTable(ratios) {
  const head = ['Memhall divided by', 'p50', 'rounds from', 'to', 'requests/s'];
  const lines = ratios.map((ratio) => [
    `${ratio.operation.toUpperCase()} ${ratio.connections} ${ratio.yardstick}`,
    ratio.latencyP50.toFixed(2),
    ratio.latencyP50Least.toFixed(2),
    ratio.latencyP50Greatest.toFixed(2),
    ratio.requestsPerSecond.toFixed(2),
  ]);
  return toTable(head, lines);
}
