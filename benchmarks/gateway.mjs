import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signToken } from '../packages/server/dist/cli/sign-token.js';
import { startChild } from './support/child.mjs';
import { startMemhall } from './support/memhall-server.mjs';
import { numberMark } from './support/number-mark.mjs';
import { onEachDatabase } from './support/on-each-database.mjs';
import { Progress } from './support/progress.mjs';
import { describeMachine, round, writeResult } from './support/report.mjs';
import { measure, summarise, summaryTable, toRows } from './support/rounds.mjs';

/**
 * @typedef {import('./support/options.mjs').Options} Options
 * @typedef {import('./support/rounds.mjs').TakeTurn} TakeTurn
 * @typedef {{ user_id: string, user_key: string }} Agent
 */

const tenant = 'benchmark';
const variants = ['Memhall'];
/** Number of earlier messages of each user, which searches look through. */
const saidBefore = 250;
const subjects = ['the delivery', 'the contract', 'the invoice', 'the supplier', 'the schedule', 'the budget'];
const remarks = ['is late by four days', 'was signed on Monday', 'needs a second look', 'went to the wrong address'];

export const gatewayOperations = ['add', 'search'];

/** @param {Options} options */
export async function runGateway(options) {
  await onEachDatabase(
    options.databases,
    (place) => runOn(place, options),
    (results) => console.log(`\nWritten to ${write(results, options)}`),
  );
}

/**
 * @param {object[]} results
 * @param {Options} options
 */
function write(results, { seconds, rounds }) {
  const date = new Date().toISOString().slice(0, 10);
  const settings = { seconds, rounds, saidBefore };
  return writeResult('gateway', { benchmark: 'gateway', date, machine: describeMachine(), settings, results });
}

/**
 * @param {import('./support/on-each-database.mjs').Place} place
 * @param {Options} options
 */
async function runOn({ database, databaseUrl, cleanups }, options) {
  const rows = toRows(options, variants);
  const progress = new Progress(database, rows.length * (options.rounds + 1 / options.connections.length));
  progress.step('starting database, server and agents');
  const turn = await prepare(databaseUrl, options, cleanups);
  const before = loadavg()[0] ?? 0;
  await measure(rows, turn, options, progress);
  progress.finish();
  const load = { before: round(before, 1), after: round(loadavg()[0] ?? 0, 1) };
  const summaries = rows.map(summarise);
  console.log(`\n${database}, load ${load.before} to ${load.after}\n\n${summaryTable(summaries)}`);
  return { database, load, rows: summaries };
}

/**
 * @param {string | undefined} databaseUrl
 * @param {Options} options
 * @param {import('./support/cleanups.mjs').Cleanups} cleanups
 * @returns {Promise<TakeTurn>}
 */
async function prepare(databaseUrl, options, cleanups) {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-benchmark-'));
  cleanups.add(async () => rmSync(directory, { recursive: true, force: true }));
  const jwtSecret = randomBytes(32).toString('hex');
  const { profileDirectory } = options;
  const memhall = await startMemhall({ directory, databaseUrl, jwtSecret, profileDirectory });
  cleanups.add(memhall.stop);
  const clients = startChild('./http-load.mjs');
  cleanups.add(clients.stop);
  const token = await signToken(jwtSecret, { tenant, user: 'operator', roles: ['admin'], ttlSeconds: 24 * 3600 });
  /** @type {Agent[]} */
  const agents = [];
  for (let index = 0; index < Math.max(...options.connections); index++) {
    agents.push(await post(memhall.url, '/users', { user_id: `agent-${index}` }, token));
  }
  for (const agent of agents) await fill(memhall.url, agent);
  await waitUntilEmbedded(memhall.url);
  const requests = { add: agents.map(addRequests), search: agents.map(searchRequests) };
  await clients.call('prepare', { target: 'Memhall', url: memhall.url, requests });
  return ({ variant, operation, connections }, seconds, keep) => {
    const row = keep ? `${variant} ${operation} ${connections}` : undefined;
    return clients.call('turn', { row, operation, connections, seconds, target: variant });
  };
}

/**
 * @param {string} url
 * @param {Agent} agent
 */
async function fill(url, agent) {
  const messages = Array.from({ length: saidBefore }, (_, index) => toMessage(agent, index, String(index)));
  await post(url, '/memories/add', { ...identityOf(agent), session_id: 'chat:before', messages });
}

/**
 * Waits until every message has its vector; otherwise background embedding would be measured too.
 * @param {string} url
 */
async function waitUntilEmbedded(url) {
  for (;;) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    if (/^memhall_memories_outdated 0$/m.test(metrics)) return;
    await sleep(1000);
  }
}

/** @param {Agent} agent */
function identityOf({ user_id, user_key }) {
  return { user_id, user_key };
}

/**
 * @param {Agent} agent
 * @param {number} number
 * @param {string} mark
 */
function toMessage(agent, number, mark) {
  const content = `Number ${mark}: ${subjects[number % subjects.length]} ${remarks[number % remarks.length]}.`;
  const role = number % 2 === 0 ? 'user' : 'assistant';
  return { sender_id: agent.user_id, role, timestamp: 1_780_000_000_000 + number, content };
}

/**
 * One turn of a chat: the user's message and the answer.
 * @param {Agent} agent
 */
function addRequests(agent) {
  return subjects.map((_, number) => {
    const messages = [toMessage(agent, 2 * number, numberMark), toMessage(agent, 2 * number + 1, numberMark)];
    return toHttp('/memories/add', { ...identityOf(agent), session_id: 'chat:now', messages });
  });
}

/** @param {Agent} agent */
function searchRequests(agent) {
  return subjects.map((subject) => {
    const query = `What about ${subject}?`;
    return toHttp('/memories/search', { ...identityOf(agent), query, conversation_id: 'before' });
  });
}

/**
 * @param {string} path
 * @param {unknown} body
 */
function toHttp(path, body) {
  const text = JSON.stringify(body);
  const head = `POST ${path} HTTP/1.1\r\nHost: benchmark\r\nContent-Type: application/json`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/**
 * @param {string} url
 * @param {string} path
 * @param {unknown} body
 * @param {string} [token]
 */
async function post(url, path, body, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (answer.status !== 200) throw new Error(`${path} returned ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
