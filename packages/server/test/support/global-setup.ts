import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '../../src/composition/open-database.js';
import { readConfig } from '../../src/config/read-config.js';
import { jobNames } from '../../src/jobs/jobs.js';
import { readMigrations } from '../../src/store/migrations.js';
import { startPostgresCluster } from './postgres-cluster.js';
import { workInMemory } from './work-in-memory.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Directory of a migrated embedded database to copy. */
    embeddedTemplate: string;
    /** A temporary cluster with a migrated database `memhall_template`, or null if PostgreSQL is not installed. */
    postgresUrl: string | null;
  }
}

const modules = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));
const silent = pino({ level: 'silent' });

/** Creates one migrated database of each kind; every test file works on copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const leaveMemory = workInMemory();
  project.provide('embeddedTemplate', await prepareEmbeddedTemplate());
  const cluster = await startPostgresCluster();
  if (cluster === undefined) {
    if (process.env.MEMHALL_REQUIRE_POSTGRES !== undefined) {
      throw new Error('MEMHALL_REQUIRE_POSTGRES is set, but no PostgreSQL server is installed here');
    }
    process.stdout.write('PostgreSQL is not installed here: the tests run on the embedded database only.\n');
  } else {
    await preparePostgresTemplate(cluster.url);
  }
  project.provide('postgresUrl', cluster?.url ?? null);
  return async () => {
    await cluster?.stop();
    leaveMemory();
  };
}

/** Creating a database takes seconds, so it is cached between runs under a name that is a hash of its inputs. */
async function prepareEmbeddedTemplate(): Promise<string> {
  const migrations = await readMigrations();
  const packages = ['@electric-sql/pglite', 'pg-boss'].map((name) =>
    readFileSync(`${modules}${name}/package.json`, 'utf8'),
  );
  const key = createHash('sha256').update(
    JSON.stringify([packages, migrations.map(({ checksum }) => checksum), jobNames]),
  );
  const cache = `${modules}.cache/memhall-test/`;
  const template = join(cache, key.digest('hex').slice(0, 16));
  if (existsSync(template)) return template;
  const draft = mkdtempSync(join(tmpdir(), 'memhall-template-'));
  await migrateDatabase(readConfig({ dataDirectory: draft }, {}), silent, false);
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  cpSync(join(draft, 'postgres'), `${template}.new`, { recursive: true });
  rmSync(draft, { recursive: true });
  renameSync(`${template}.new`, template);
  return template;
}

async function preparePostgresTemplate(url: string): Promise<void> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query('CREATE DATABASE memhall_template');
  await admin.end();
  const template = new URL(url);
  template.pathname = '/memhall_template';
  await migrateDatabase(readConfig({ databaseUrl: template.href }, {}), silent, false);
}
