import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { distributeDatabase, migrateDatabase, openDatabase } from '../../src/composition/open-database.js';
import { openEmbedder } from '../../src/composition/open-embedder.js';
import { readConfig } from '../../src/config/read-config.js';
import { jobNames } from '../../src/jobs/jobs.js';
import { MINILM_GRAPH_SHA256 } from '../../src/providers/embedders/minilm-graph-cache.js';
import { readMigrations } from '../../src/store/migrations.js';
import { installCitusStandIn } from './citus/stand-in.js';
import { startPgBouncer } from './pgbouncer.js';
import { startPostgresCluster } from './postgres-cluster.js';
import { workInMemory } from './work-in-memory.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Directory with `postgres`, a migrated embedded database to copy, and `models`, the embedding model to read. */
    embeddedTemplate: string;
    /** A temporary cluster with a migrated database `memhall_template`, or null if PostgreSQL is not installed. */
    postgresUrl: string | null;
    /** The same cluster through PgBouncer in transaction mode if the whole run goes through it; otherwise the same URL. */
    pooledUrl: string | null;
  }
}

const modules = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));
const silent = pino({ level: 'silent' });

/** Creates one migrated database of each kind; every test file works on copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const leaveMemory = workInMemory();
  project.provide('embeddedTemplate', await prepareEmbeddedTemplate());
  const cluster = process.env.MEMHALL_TEST_DATABASE === 'embedded' ? undefined : await startPostgresCluster();
  if (cluster === undefined) {
    if (process.env.MEMHALL_REQUIRE_POSTGRES !== undefined) {
      throw new Error('MEMHALL_REQUIRE_POSTGRES is set, but no PostgreSQL server is installed here');
    }
    process.stdout.write('Without PostgreSQL: the tests run on the embedded database only.\n');
  } else {
    await preparePostgresTemplate(cluster.url);
  }
  project.provide('postgresUrl', cluster?.url ?? null);
  const pooler = process.env.MEMHALL_TEST_POOLER && cluster ? await startPgBouncer(cluster.url) : undefined;
  project.provide('pooledUrl', pooler?.url ?? cluster?.url ?? null);
  return async () => {
    await pooler?.stop();
    await cluster?.stop();
    leaveMemory();
  };
}

/** Creating it takes seconds, so it is kept between runs, under a hash of everything it is made from. */
async function prepareEmbeddedTemplate(): Promise<string> {
  const migrations = await readMigrations();
  const statistics = new URL('../../src/store/content-statistics.ts', import.meta.url);
  const sources = [
    fileURLToPath(import.meta.url),
    fileURLToPath(statistics),
    ...['@electric-sql/pglite', 'pg-boss'].map(packageFile),
  ];
  const parts = [
    sources.map((path) => readFileSync(path, 'utf8')),
    migrations.map(({ checksum }) => checksum),
    jobNames,
  ];
  const key = createHash('sha256').update(JSON.stringify([...parts, MINILM_GRAPH_SHA256]));
  const cache = `${modules}.cache/memhall-test/`;
  const template = join(cache, key.digest('hex').slice(0, 16));
  if (existsSync(template)) return template;
  const draft = mkdtempSync(join(tmpdir(), 'memhall-template-'));
  await makeDataDirectory(draft);
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  for (const name of ['postgres', 'models']) cpSync(join(draft, name), `${template}.new/${name}`, { recursive: true });
  rmSync(draft, { recursive: true });
  renameSync(`${template}.new`, template);
  return template;
}

function packageFile(name: string): string {
  return `${modules}${name}/package.json`;
}

/** A migrated database and the embedding model. Tests copy and open the database hundreds of times, so it is kept small. */
async function makeDataDirectory(dataDirectory: string): Promise<void> {
  const config = readConfig({ dataDirectory, embedder: 'local' }, {});
  const database = await openDatabase(config, silent);
  await database.pool.query('UPDATE pg_database SET datistemplate = false');
  for (const unused of ['template0', 'template1']) await database.pool.query(`DROP DATABASE ${unused}`);
  await database.close();
  appendFileSync(join(dataDirectory, 'postgres', 'postgresql.conf'), "shared_buffers = '8MB'\n");
  await (await openEmbedder(config, silent))?.close();
  mkdirSync(join(dataDirectory, 'models'), { recursive: true });
}

async function preparePostgresTemplate(url: string): Promise<void> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query('CREATE DATABASE memhall_template');
  await admin.end();
  const template = new URL(url);
  template.pathname = '/memhall_template';
  const config = readConfig({ databaseUrl: template.href }, {});
  await migrateDatabase(config, silent, false);
  if (process.env.MEMHALL_TEST_CITUS === undefined) return;
  const owner = new Client({ connectionString: template.href });
  await owner.connect();
  await installCitusStandIn(owner);
  await owner.end();
  await distributeDatabase(config, silent, false);
}
