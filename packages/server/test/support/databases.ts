import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { readConfig } from '../../src/config/read-config.js';
import type { Config } from '../../src/config/settings.js';

export type DatabaseKind = 'embedded' | 'postgres';

export interface TestDatabase {
  kind: DatabaseKind;
  /** Flags of the command line and of `readConfig` that point to this database. */
  flags: Record<string, string>;
  /** URL of PostgreSQL itself, whatever the tests of this run go through. */
  directUrl: string | undefined;
  config(extra?: Record<string, string>): Config;
  remove(): Promise<void>;
}

const isAvailable = { embedded: true, postgres: inject('postgresUrl') !== null };
const only = process.env.MEMHALL_TEST_DATABASE;
const kinds = (['embedded', 'postgres'] as const).filter(
  (kind) => isAvailable[kind] && (only === undefined || only === kind),
);

/** The kind for tests that are about something else: PostgreSQL if it is installed, which costs half as much time. */
export const cheapestKind: DatabaseKind = kinds.at(-1) ?? 'embedded';

/** Creates a migrated database for one test or suite. */
export async function createTestDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'memhall-test-'));
  const removeData = () => rmSync(dataDirectory, { recursive: true, force: true });
  const template = inject('embeddedTemplate');
  symlinkSync(join(template, 'models'), join(dataDirectory, 'models'));
  if (kind === 'embedded') {
    cpSync(join(template, 'postgres'), join(dataDirectory, 'postgres'), { recursive: true });
    return describeDatabase(kind, { dataDirectory }, undefined, async () => removeData());
  }
  const url = inject('postgresUrl');
  if (url === null) throw new Error('PostgreSQL is not installed here');
  const name = `test_${Math.random().toString(36).slice(2)}`;
  await administer(url, `CREATE DATABASE ${name} TEMPLATE memhall_template STRATEGY file_copy`);
  const inDatabase = (server: string) => server.replace(/\/postgres$/, `/${name}`);
  const databaseUrl = inDatabase(inject('pooledUrl') ?? url);
  return describeDatabase(kind, { dataDirectory, databaseUrl }, inDatabase(url), async () => {
    await administer(url, `DROP DATABASE ${name} WITH (FORCE)`);
    removeData();
  });
}

function describeDatabase(
  kind: DatabaseKind,
  flags: Record<string, string>,
  directUrl: string | undefined,
  remove: () => Promise<void>,
): TestDatabase {
  // Suites about recall ask for the local embedder; the others should not wait for a model. Jobs are off because they
  // would run at unpredictable times.
  const silent = { logLevel: 'silent', port: '0', pluginPort: '0', jobs: 'false' };
  // A test that looks at meanings must not depend on when the model is there.
  const quiet = { ...silent, embedder: 'none', embedderStart: 'wait' };
  // The tests of a process share its event loop, which is late at unpredictable times.
  const patient = { stallMs: '0', shedDelayMs: '0' };
  const past = directUrl === undefined || directUrl === flags.databaseUrl ? {} : { databaseDirectUrl: directUrl };
  return {
    kind,
    flags,
    directUrl,
    config: (extra = {}) => readConfig({ ...quiet, ...patient, ...past, ...flags, ...extra }, {}),
    remove,
  };
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

type Body = (database: () => TestDatabase, kind: DatabaseKind) => void;

/** Runs the same tests on every available kind of database, each with a new one. */
export function describeEachDatabase(name: string, body: Body): void {
  for (const kind of kinds) describeWith(kind, `${name} (${kind})`, body);
}

/** Runs tests on one database, because what they are about does not depend on its kind. Long runs use every kind all the same. */
export function describeOneDatabase(name: string, body: Body): void {
  if (process.env.MEMHALL_TEST_LONG === undefined) describeWith(cheapestKind, name, body);
  else describeEachDatabase(name, body);
}

/** Deals cases out to the kinds of databases, so that each case runs on one of them. In long runs all run on every kind. */
export function shareOf<T>(kind: DatabaseKind, cases: readonly T[]): T[] {
  const isLong = process.env.MEMHALL_TEST_LONG !== undefined;
  return cases.filter((_, index) => isLong || kinds[index % kinds.length] === kind);
}

function describeWith(kind: DatabaseKind, name: string, body: Body): void {
  describe(name, () => {
    let database: TestDatabase | undefined;
    beforeAll(async () => {
      database = await createTestDatabase(kind);
    });
    afterAll(() => database?.remove());
    body(() => {
      if (database === undefined) throw new Error('the database is there only while tests run');
      return database;
    }, kind);
  });
}

/** Opens plain SQL connections to a PostgreSQL test database that bypass the store. */
export function connectDirectly(database: TestDatabase, user = 'postgres'): Pool {
  const url = new URL(database.directUrl ?? '');
  url.username = user;
  const pool = new Pool({ connectionString: url.href, max: 4 });
  // Dropping the database terminates connections that are still closing.
  return pool.on('error', () => undefined);
}
