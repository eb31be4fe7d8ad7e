import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
 *
 * @typedef {object} PluginClient One client's namespace and the memories it writes there repeatedly.
 * @property {string} namespace
 * @property {{ id: string, content: string }[]} memories
 */

const variants = ['in the process', 'plugin listener'];
const memoriesEach = 200;
const query = 'Which supplier misses the delivery date?';

/** @param {Options} options */
export async function runPlugin(options) {
  await onEachDatabase(options.databases, (place) => runOn(place, options));
}

/**
 * @param {import('./support/on-each-database.mjs').Place} place
 * @param {Options} options
 */
async function runOn({ database, databaseUrl, cleanups }, options) {
  const rows = toRows(options, variants);
  const progress = new Progress(database, rows.length * (options.rounds + 1 / options.connections.length));
  progress.step('starting database, server and clients');
  const { turn, serverVersion } = await prepare(databaseUrl, options, cleanups);
  await measure(rows, turn, options, progress);
  progress.finish();
  report(database, rows, serverVersion, options);
}

/**
 * @param {string | undefined} databaseUrl
 * @param {Options} options
 * @param {import('./support/cleanups.mjs').Cleanups} cleanups
 * @returns {Promise<{ turn: TakeTurn, serverVersion: string }>}
 */
async function prepare(databaseUrl, options, cleanups) {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-benchmark-'));
  cleanups.add(async () => rmSync(directory, { recursive: true, force: true }));
  const { profileDirectory } = options;
  const jwtSecret = randomBytes(32).toString('hex');
  const memhall = await startMemhall({ directory, databaseUrl, jwtSecret, profileDirectory, pluginPort: '0' });
  cleanups.add(memhall.stop);
  const [loop, load] = ['./plugin-loop.mjs', './http-load.mjs'].map((file) => {
    const child = startChild(file);
    cleanups.add(child.stop);
    return child;
  });
  if (loop === undefined || load === undefined) throw new Error('no children');
  const count = Math.max(...options.connections);
  const clients = Array.from({ length: count }, (_, index) => newClient(index));
  for (const client of clients) await fill(memhall.pluginUrl, client);
  const requests = { write: clients.map(writeRequests), search: clients.map(searchRequests) };
  await load.call('prepare', { target: 'plugin listener', url: memhall.pluginUrl, requests });
  // An embedded database belongs to one process, so the loop gets its own.
  const flags = { dataDirectory: join(directory, 'loop-data'), ...(databaseUrl && { databaseUrl }) };
  const { serverVersion } = await loop.call('open', { flags, clients: clients.map(withOwnIds), query });
  return {
    serverVersion,
    turn({ variant, operation, connections }, seconds, keep) {
      const row = keep ? `${variant} ${operation} ${connections}` : undefined;
      const common = { row, operation, connections, seconds };
      return variant === 'plugin listener'
        ? load.call('turn', { ...common, target: variant })
        : loop.call('turn', common);
    },
  };
}

/** @param {number} index @returns {PluginClient} */
function newClient(index) {
  const memories = Array.from({ length: memoriesEach }, (_, number) => ({
    id: randomUUID(),
    content: `Supplier ${number} of client ${index} ${number % 7 === 0 ? 'misses the delivery date by four days' : 'delivers what was ordered, in parts'}.`,
  }));
  return { namespace: `workspace:client-${index}`, memories };
}

/** @param {PluginClient} client @returns {PluginClient} */
function withOwnIds({ namespace, memories }) {
  return { namespace, memories: memories.map(({ content }) => ({ id: randomUUID(), content })) };
}

/** @param {string} url @param {PluginClient} client */
async function fill(url, { namespace, memories }) {
  const headers = { 'content-type': 'application/json' };
  const send = async (/** @type {string} */ method, /** @type {string} */ path, /** @type {object} */ body) => {
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} returned ${answer.status}: ${await answer.text()}`);
  };
  await send('PUT', `/v1/namespaces/${namespace}`, { kind: 'workspace' });
  for (const memory of memories) await send('POST', `/v1/namespaces/${namespace}/memories`, toBody(memory));
}

/** @param {{ id: string, content: string }} memory */
function toBody(memory) {
  return { ...memory, kind: 'fact', source: 'agent' };
}

/** @param {PluginClient} client */
function writeRequests({ namespace, memories }) {
  return memories.map((memory) => toRequest(`/v1/namespaces/${namespace}/memories`, toBody(memory)));
}

/** @param {PluginClient} client */
function searchRequests({ namespace }) {
  return [toRequest('/v1/search', { namespaces: [namespace], query, limit: 20 })];
}

/** @param {string} path @param {object} content */
function toRequest(path, content) {
  const body = JSON.stringify(content);
  const headers = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  return `POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n${body}`;
}

/**
 * @param {string} database
 * @param {Row[]} rows
 * @param {string} serverVersion
 * @param {Options} options
 */
function report(database, rows, serverVersion, { seconds, rounds }) {
  const summaries = rows.map(summarise);
  const ratios = rows.filter(({ variant }) => variant === 'plugin listener').map((row) => toRatio(row, rows));
  const machine = { ...describeMachine(), postgres: serverVersion.split(' ')[0] };
  const date = new Date().toISOString().slice(0, 10);
  const settings = { seconds, rounds, memoriesEach };
  const result = { benchmark: 'plugin', database, date, machine, settings, rows: summaries, ratios };
  const file = writeResult(`plugin-${database}`, result);
  const heading = `${database} (${machine.postgres}), ${machine.cores} cores, Node ${machine.node}`;
  const head = ['listener divided by in the process', 'p50', 'requests/s'];
  const lines = ratios.map((ratio) => [
    `${ratio.operation.toUpperCase()} ${ratio.connections}`,
    ratio.latencyP50.toFixed(2),
    ratio.requestsPerSecond.toFixed(2),
  ]);
  console.log(`\n${heading}\n\n${summaryTable(summaries)}\n\n${toTable(head, lines)}\n\nWritten to ${file}`);
}

/** @param {Row} listener @param {Row[]} rows */
function toRatio({ operation, connections, turns }, rows) {
  const inside = rows.find(
    (row) => row.variant === variants[0] && row.operation === operation && row.connections === connections,
  );
  const divide = (/** @type {(turn: import('./support/turn.mjs').Turn) => number} */ value) =>
    round(median(turns.map(value)) / median((inside?.turns ?? []).map(value)), 2);
  return {
    operation,
    connections,
    latencyP50: divide(({ p50Ms }) => p50Ms),
    requestsPerSecond: divide(({ requestsPerSecond }) => requestsPerSecond),
  };
}
