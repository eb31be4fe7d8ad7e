import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { signToken } from '../packages/server/dist/cli/sign-token.js';
import { startChild } from './support/child.mjs';
import { fillOps, operations, pathOf, tenant, toHttp } from './support/document-operations.mjs';
import { startMemhall } from './support/memhall-server.mjs';
import { numberMark } from './support/number-mark.mjs';
import { onEachDatabase } from './support/on-each-database.mjs';
import { Progress } from './support/progress.mjs';
import { describeMachine, round, toTable, writeResult } from './support/report.mjs';
import { measure, summarise, summaryTable, toRows } from './support/rounds.mjs';

/**
 * @typedef {import('./support/options.mjs').Options} Options
 * @typedef {import('./support/rounds.mjs').Row} Row
 * @typedef {import('./support/rounds.mjs').TakeTurn} TakeTurn
 * @typedef {ReturnType<typeof summarise>} Summary
 *
 * @typedef {object} Setup
 * @property {string} serverVersion
 * @property {number} poolSize
 * @property {Record<string, string[][]>} statements
 * @property {TakeTurn} turn
 */

const variants = ['SQL sequential', 'SQL pipelined', 'Memhall'];
const yardsticks = variants.slice(0, 2);
/** Upper limit for the 95th percentile of a PATCH, on either database. */
const goalMs = 300;
const goalRatio = 5;

/** Many documents with a few changes, so that their histories stay short, and one document with a long history. */
const histories = { short: { documents: 200, versions: 10 }, long: { documents: 1, versions: 10_000 } };
const projectPatch = { profile_id: 'project-copilot-v1', binding_id: 'project_doc', reason: 'live_update' };

/** @param {Options} options */
export async function runDocuments(options) {
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
  const settings = { seconds, rounds };
  return writeResult('documents', { benchmark: 'documents', date, machine: describeMachine(), settings, results });
}

/**
 * @param {import('./support/on-each-database.mjs').Place} place
 * @param {Options} options
 */
async function runOn({ database, databaseUrl, cleanups }, options) {
  const rows = toRows(options, variants);
  const growth = toRows({ connections: [1], operations: Object.keys(histories) }, ['Memhall']);
  const progress = new Progress(
    database,
    (rows.length + growth.length) * (options.rounds + 1 / options.connections.length),
  );
  progress.step('starting database, server and clients');
  const setup = await prepare(databaseUrl, options, cleanups, progress);
  const before = loadavg()[0] ?? 0;
  await measure(rows, setup.turn, options, progress);
  await measure(growth, setup.turn, { ...options, connections: [1] }, progress);
  progress.finish();
  const result = {
    database,
    postgres: setup.serverVersion.split(' ')[0],
    poolSize: setup.poolSize,
    load: { before: round(before, 1), after: round(loadavg()[0] ?? 0, 1) },
    statements: setup.statements,
    rows: rows.map(summarise),
    ratios: toRatios(rows.map(summarise)),
    growth: growth.map(summarise).map((row) => ({ ...row, ...histories[/** @type {'short'} */ (row.operation)] })),
  };
  report(result);
  return result;
}

/**
 * @param {string | undefined} databaseUrl
 * @param {Options} options
 * @param {import('./support/cleanups.mjs').Cleanups} cleanups
 * @param {Progress} progress
 * @returns {Promise<Setup>}
 */
async function prepare(databaseUrl, options, cleanups, progress) {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-benchmark-'));
  cleanups.add(async () => rmSync(directory, { recursive: true, force: true }));
  const jwtSecret = randomBytes(32).toString('hex');
  const { profileDirectory } = options;
  const memhall = await startMemhall({ directory, databaseUrl, jwtSecret, profileDirectory });
  cleanups.add(memhall.stop);
  const [loop, clients] = ['./document-loop.mjs', './http-load.mjs'].map((file) => {
    const child = startChild(file);
    cleanups.add(child.stop);
    return child;
  });
  if (loop === undefined || clients === undefined) throw new Error('no children');

  const users = Array.from({ length: Math.max(...options.connections) }, (_, index) => `user-${index}`);
  const tokens = await Promise.all(
    [...users, 'historian'].map((user) => signToken(jwtSecret, { tenant, user, ttlSeconds: 24 * 3600 })),
  );
  const historian = tokens.at(-1) ?? '';
  for (const [index, user] of users.entries())
    await patchOnce(memhall.url, pathOf(user), tokens[index] ?? '', 'user_dynamic', fillOps);
  progress.step('writing histories');
  await writeHistories(memhall.url, historian);
  const requests = Object.fromEntries(
    Object.entries(operations).map(([name, { toRequests }]) => [
      name,
      users.map((user, index) => toRequests(user, tokens[index] ?? '')),
    ]),
  );
  const ofHistories = Object.fromEntries(
    Object.keys(histories).map((name) => [name, [historyRequests(/** @type {'short'} */ (name), historian)]]),
  );
  await clients.call('prepare', { target: 'Memhall', url: memhall.url, requests: { ...requests, ...ofHistories } });
  // An embedded database belongs to one process, so the loop gets its own.
  const flags = { dataDirectory: join(directory, 'loop-data'), ...(databaseUrl && { databaseUrl }) };
  const opened = await loop.call('open', { flags, users, names: options.operations });
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

/** @param {keyof typeof histories} name */
function historyPaths(name) {
  const at = (/** @type {number} */ index) => ({ namespace: 'projects', path: `${name}-${index}.json` });
  return Array.from({ length: histories[name].documents }, (_, index) => pathOf('historian', at(index)));
}

/** @param {string} text */
function historyOps(text) {
  return [{ op: 'replace', path: '/content/summary', value: `What is known of the project, as of change ${text}.` }];
}

/**
 * @param {keyof typeof histories} name
 * @param {string} token
 */
function historyRequests(name, token) {
  const headers = { 'If-Match': '*', 'Idempotency-Key': numberMark };
  const body = { ...projectPatch, ops: historyOps(numberMark) };
  return historyPaths(name).map((path) => toHttp({ method: 'PATCH', path, token, headers, body }));
}

/**
 * @param {string} url
 * @param {string} token
 */
async function writeHistories(url, token) {
  for (const name of /** @type {const} */ (['short', 'long'])) {
    for (const path of historyPaths(name)) {
      for (let version = 0; version < histories[name].versions; version++) {
        await patchOnce(url, path, token, 'project_doc', historyOps(`number ${version}`));
      }
    }
  }
}

let keys = 0;

/**
 * @param {string} url
 * @param {string} path
 * @param {string} token
 * @param {string} binding
 * @param {object[]} ops
 */
async function patchOnce(url, path, token, binding, ops) {
  keys += 1;
  const answer = await fetch(url + path, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'if-match': '*',
      'idempotency-key': `fill-${keys}`,
    },
    body: JSON.stringify({ ...projectPatch, binding_id: binding, ops }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`a PATCH returned ${answer.status}: ${text}`);
}

/**
 * Divides Memhall's times by those of each yardstick.
 * @param {Summary[]} rows
 */
function toRatios(rows) {
  return rows
    .filter(({ variant }) => variant === 'Memhall')
    .flatMap((own) =>
      yardsticks.map((yardstick) => {
        const other = rows.find(
          (row) => row.variant === yardstick && row.operation === own.operation && row.connections === own.connections,
        );
        const { operation, connections } = own;
        const by = (/** @type {'p50Ms' | 'p95Ms'} */ name) => round(own[name] / (other?.[name] ?? Number.NaN), 2);
        return { operation, connections, yardstick, p50: by('p50Ms'), p95: by('p95Ms') };
      }),
    );
}

/** @param {Exclude<Awaited<ReturnType<typeof runOn>>, undefined>} result */
function report({ database, postgres, load, rows, ratios, growth }) {
  const heading = `${database === 'embedded' ? 'Embedded' : 'PostgreSQL'} (${postgres}), load ${load.before} to ${load.after}`;
  const ratioLines = ratios.map((ratio) => [
    `${ratio.operation.toUpperCase()} ${ratio.connections} ${ratio.yardstick}`,
    ratio.p50.toFixed(2),
    ratio.p95.toFixed(2),
  ]);
  const growthLines = growth.map(({ versions, p50Ms, p95Ms }) => [
    `PATCH of a document with ${versions} versions`,
    p50Ms.toFixed(2),
    p95Ms.toFixed(2),
  ]);
  const tables = [
    summaryTable(rows),
    toTable(['Memhall divided by', 'p50', 'p95'], ratioLines),
    toTable(['growth, 1 connection', 'p50 ms', 'p95 ms'], growthLines),
  ];
  const goal = `Goal: PATCH p95 under ${goalRatio} times that of its SQL, and far under ${goalMs} ms.`;
  console.log(`\n${heading}\n\n${tables.join('\n\n')}\n\n${goal}`);
}
