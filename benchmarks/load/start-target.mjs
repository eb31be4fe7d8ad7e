import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { prepareVectors } from '../speed/vectors.mjs';
import { startChild } from '../support/child.mjs';
import { Cleanups } from '../support/cleanups.mjs';
import { startMemhall } from '../support/memhall-server.mjs';
import { startPostgresCluster } from '../support/postgres-cluster.mjs';
import { DatabaseFigures, neededSettings } from './database-figures.mjs';
import { tenantsFor } from './population.mjs';

const longestSettlingMs = 20 * 60_000;
/** Some are always left: records of the work itself. */
const few = 100;
const backlogs = ['memhall_audit_unsigned_records', 'memhall_memories_outdated', 'memhall_documents_waiting'];
const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @typedef {object} Target The nodes under load, their database, and who sends the load.
 * @property {import('../support/child.mjs').Child} generator
 * @property {number[]} pids of the nodes
 * @property {number | undefined} databasePid
 * @property {DatabaseFigures | undefined} figures undefined for the embedded database
 * @property {() => Promise<number>} size bytes of the database
 * @property {(nodes: number) => Promise<void>} useNodes starts or stops nodes until there are this many
 * @property {(memories: number) => Promise<void>} grow stops the nodes, stores more memories, and starts one
 * @property {string[]} urls
 */

/**
 * Starts everything on loopback, with data that is removed at the end. `grow` has to be called before anything else.
 * @param {import('./options.mjs').LoadOptions} options
 * @param {Cleanups} cleanups
 * @param {(text: string) => void} say
 * @returns {Promise<Target>}
 */
export async function startTarget(options, cleanups, say) {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-load-'));
  cleanups.add(async () => rmSync(directory, { recursive: true, force: true }));
  const postgres =
    options.database === 'postgres'
      ? await startPostgresCluster([...neededSettings, ...options.postgresSettings])
      : undefined;
  if (options.database === 'postgres' && postgres === undefined) throw new Error('PostgreSQL is not installed.');
  if (postgres !== undefined) cleanups.add(postgres.stop);
  const figures = postgres && new DatabaseFigures(postgres.url);
  if (figures !== undefined) {
    await figures.open();
    cleanups.add(() => figures.close());
  }
  const secret = randomBytes(32).toString('hex');
  const generator = startChild('../load/generator.mjs');
  cleanups.add(generator.stop);
  /** @type {Awaited<ReturnType<typeof startMemhall>>[]} */
  const nodes = [];
  cleanups.add(async () => {
    for (const node of nodes) await node.stop();
  });
  // With PostgreSQL, the directory has only the keys, which all nodes share.
  const data = join(directory, 'server-data');
  mkdirSync(data, { recursive: true });
  let stored = 0;

  const prepare = (/** @type {number} */ memories) =>
    generator.call('prepare', {
      urls: nodes.map(({ url }) => url),
      secret,
      tenants: options.tenants ?? tenantsFor(memories),
      exponent: options.exponent,
    });
  const target = {
    generator,
    databasePid: postgres?.pid,
    figures,
    get pids() {
      return nodes.map(({ pid }) => pid);
    },
    get urls() {
      return nodes.map(({ url }) => url);
    },
    size: async () => (figures === undefined ? directorySize(join(data, 'postgres')) : figures.size()),
    async useNodes(/** @type {number} */ count) {
      for (const node of nodes.splice(count)) await node.stop();
      while (nodes.length < count) {
        const { profileDirectory, environment } = options;
        const node = { directory, databaseUrl: postgres?.url, jwtSecret: secret, profileDirectory, environment };
        nodes.push(await startMemhall(node));
      }
      await prepare(stored);
    },
    async grow(/** @type {number} */ memories) {
      for (const node of nodes.splice(0)) await node.stop();
      say(`storing ${memories - stored} memories`);
      const vectors = await prepareVectors({ root, largest: Math.min(memories, 10_000), onProgress: () => undefined });
      const seed = startChild('../load/seed.mjs');
      try {
        const { fillMinutes: minutes } = options;
        const where = { directory: data, databaseUrl: postgres?.url };
        await seed.call('seed', { ...where, from: stored, memories, vectors, minutes });
      } finally {
        await seed.stop();
      }
      stored = memories;
      await target.useNodes(1);
      say('giving every user a document');
      await generator.call('fill', {});
      say('waiting until what was stored is signed and indexed');
      await waitUntilDone(target.urls[0] ?? '');
      await figures?.settle();
    },
  };
  return target;
}

/**
 * What a server does later for what was stored would otherwise count as a cost of what is measured.
 * @param {string} url
 */
async function waitUntilDone(url) {
  for (const endMs = performance.now() + longestSettlingMs; performance.now() < endMs; await sleep(1000)) {
    const text = await (await fetch(`${url}/metrics`)).text();
    const left = backlogs.map((name) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1] ?? 0));
    if (left.every((count) => count < few)) return;
  }
  throw new Error('the server has not signed and indexed what was stored within 20 minutes');
}

/**
 * @param {string} directory
 * @returns {number}
 */
function directorySize(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
