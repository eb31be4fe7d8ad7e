/**
 * Compares two builds of Memhall on PostgreSQL, request by request: node benchmarks/compare-builds.mjs <before> <after> [rounds]
 *
 * Both are directories of the repository, built with `npm run build`. Each build has its own server and database in one temporary
 * cluster. They take turns of a few dozen requests, in changing order, so that what else the machine does affects both. Printed are
 * medians of the turns, and the median of the ratios of neighbouring turns.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { signToken } from '../packages/server/dist/cli/sign-token.js';
import { Cleanups } from './support/cleanups.mjs';
import { startPostgresCluster } from './support/postgres-cluster.mjs';
import { describeMachine, median, round, toTable } from './support/report.mjs';

const perTurn = 40;
const memories = 200;
let asked = 0;

/**
 * @typedef {object} Build
 * @property {string} name
 * @property {string} url
 * @property {string} token
 * @property {number} pid
 * @property {string} database
 * @property {Agent} agent
 *
 * @typedef {{ wallMs: number, serverMs: number, postgresMs: number }} Turn per request
 */

const [before, after, rounds = '40'] = process.argv.slice(2);
if (before === undefined || after === undefined) {
  process.stderr.write('Usage: node benchmarks/compare-builds.mjs <before> <after> [rounds]\n');
  process.exit(2);
}
const cleanups = new Cleanups();
try {
  await compare([before, after], Number(rounds));
} finally {
  await cleanups.run();
}

/**
 * @param {string[]} directories
 * @param {number} count
 */
async function compare(directories, count) {
  const cluster = await startPostgresCluster();
  if (cluster === undefined) throw new Error('PostgreSQL is not installed here');
  cleanups.add(cluster.stop);
  const admin = new pg.Client({ connectionString: cluster.url });
  await admin.connect();
  cleanups.add(() => admin.end());
  const builds = [];
  for (const [index, directory] of directories.entries()) {
    builds.push(await start(cluster.url, admin, resolve(directory), ['before', 'after'][index] ?? ''));
  }
  const operations = await prepare(builds);
  const turns = new Map(Object.keys(operations).map((name) => [name, /** @type {Turn[][]} */ ([])]));
  for (let done = -2; done < count; done++) {
    for (const [name, operation] of Object.entries(operations)) {
      /** @type {Turn[]} */
      const pair = [];
      for (const index of done % 2 === 0 ? [0, 1] : [1, 0]) {
        pair[index] = await turn(admin, /** @type {Build} */ (builds[index]), operation);
      }
      if (done >= 0) turns.get(name)?.push(pair);
    }
  }
  report(turns, count);
}

/**
 * @param {string} url
 * @param {pg.Client} admin
 * @param {string} directory
 * @param {string} name
 * @returns {Promise<Build>}
 */
async function start(url, admin, directory, name) {
  await admin.query(`CREATE DATABASE ${name}`);
  const data = mkdtempSync(join(tmpdir(), 'memhall-benchmark-'));
  cleanups.add(async () => rmSync(data, { recursive: true, force: true }));
  const secret = randomBytes(32).toString('hex');
  const program = join(directory, 'packages/server/bin/memhall.js');
  const flags = ['serve', '--json', '--no-jobs', '--port', '0', '--plugin-port', 'off', '--data', data];
  const server = spawn(process.execPath, [program, ...flags], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: url.replace(/\/postgres$/, `/${name}`),
      MEMHALL_JWT_SECRET: secret,
      MEMHALL_EMBEDDER_START: 'wait',
      MEMHALL_SHED_DELAY_MS: '0',
      MEMHALL_LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((done) => server.once('exit', done));
  cleanups.add(async () => {
    server.kill('SIGTERM');
    await exited;
  });
  const token = await signToken(secret, { tenant: 't1', user: 'u1', ttlSeconds: 24 * 3600 });
  for await (const line of createInterface({ input: server.stdout })) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    return { name, url: JSON.parse(line).url, token, pid: server.pid ?? 0, database: name, agent };
  }
  throw new Error(`the build in ${directory} did not start`);
}

/**
 * Stores memories, and returns the operations to measure.
 * @param {Build[]} builds
 */
async function prepare(builds) {
  for (const build of builds) {
    for (let number = 0; number < memories; number++) await remember(build, number, 0);
  }
  const value = { status: 'in_progress', step: 3, summary: 'Compared the three suppliers.', confidence: 0.82 };
  return {
    'PUT of a working value': (/** @type {Build} */ build, /** @type {number} */ at) =>
      call(build, 'PUT', `/v1/memory/working/plan/key-${at % 8}`, { value }),
    'GET of a working value': (/** @type {Build} */ build, /** @type {number} */ at) =>
      call(build, 'GET', `/v1/memory/working/plan/key-${at % 8}`),
    recall: (/** @type {Build} */ build, /** @type {number} */ at) =>
      call(build, 'POST', '/v1/recall', { query: `Which supplier delivers part ${at % memories}?` }),
    'new memory': (/** @type {Build} */ build) =>
      call(build, 'POST', '/v1/remember', { content: `Supplier ${randomBytes(6).toString('hex')} is new.` }),
    'changed memory': (/** @type {Build} */ build, /** @type {number} */ at) => remember(build, at % 20, at),
  };
}

/**
 * @param {Build} build
 * @param {number} number
 * @param {number} version
 */
function remember(build, number, version) {
  const content = `Supplier ${number % 17} delivers part ${number} in ${version + 3} days.`;
  return call(build, 'POST', '/v1/remember', { content, external_id: `part-${number}` });
}

/**
 * @param {pg.Client} admin
 * @param {Build} build
 * @param {(build: Build, at: number) => Promise<void>} operation
 * @returns {Promise<Turn>}
 */
async function turn(admin, build, operation) {
  const backends = async () => {
    const { rows } = await admin.query('SELECT pid FROM pg_stat_activity WHERE datname = $1', [build.database]);
    return new Map(rows.map(({ pid }) => [pid, cpuMs(pid)]));
  };
  const postgres = await backends();
  const server = cpuMs(build.pid);
  const began = performance.now();
  for (let number = 0; number < perTurn; number++) await operation(build, asked++);
  const wallMs = (performance.now() - began) / perTurn;
  const serverMs = (cpuMs(build.pid) - server) / perTurn;
  // Connections that were opened or closed in between count as far as they are still there.
  const spent = [...(await backends())].map(([pid, time]) => time - (postgres.get(pid) ?? 0));
  return { wallMs, serverMs, postgresMs: spent.reduce((sum, one) => sum + one, 0) / perTurn };
}

/**
 * Returns the time that all threads of a process have run so far; 0 if it is gone.
 * @param {number} pid
 */
function cpuMs(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const times = threads.map((one) => readFileSync(`/proc/${pid}/task/${one}/schedstat`, 'utf8').split(' ')[0]);
    return times.reduce((sum, time) => sum + Number(time), 0) / 1e6;
  } catch {
    return 0;
  }
}

/**
 * @param {Build} build
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<void>}
 */
function call({ url, token, agent }, method, path, body) {
  return new Promise((done, fail) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request(`${url}${path}`, {
      method,
      agent,
      headers: body === undefined ? { authorization: headers.authorization } : headers,
    });
    sent.on('error', fail);
    sent.on('response', (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200 || response.statusCode === 201) done();
        else fail(new Error(`${method} ${path}: ${response.statusCode}`));
      });
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/**
 * @param {Map<string, Turn[][]>} turns
 * @param {number} count
 */
function report(turns, count) {
  const head = ['operation', 'measure', 'before ms', 'after ms', 'sum of all', 'median of ratios'];
  const lines = [...turns].flatMap(([name, pairs]) =>
    /** @type {const} */ (['wallMs', 'serverMs', 'postgresMs']).map((measure) => {
      const [old, now] = [0, 1].map((index) => pairs.map((pair) => pair[index]?.[measure] ?? 0));
      const [oldSum, nowSum] = [old, now].map((values = []) => values.reduce((sum, one) => sum + one, 0));
      const ratios = pairs.flatMap(([one, other]) =>
        one && other && one[measure] > 0 ? [other[measure] / one[measure]] : [],
      );
      const label = { wallMs: 'time', serverMs: 'CPU of the server', postgresMs: 'CPU of PostgreSQL' }[measure];
      return [
        ...[name, label, String(round(median(old ?? []), 3)), String(round(median(now ?? []), 3))],
        ...[String(round((nowSum ?? 0) / (oldSum ?? 1), 3)), String(round(median(ratios), 3))],
      ];
    }),
  );
  const machine = describeMachine();
  process.stdout.write(
    `${JSON.stringify(machine)}\n${count} turns of ${perTurn} requests each\n${toTable(head, lines)}\n`,
  );
}
