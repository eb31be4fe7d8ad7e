import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openMemhall } from '../src/open-memhall.js';
import { runCommand } from './support/command.js';

/** What each released version left behind. scripts/release/write-upgrade-data.mjs writes it. */
const releases = fileURLToPath(new URL('../test-data/releases/', import.meta.url));
const server = inject('postgresUrl');

describe.each(readdirSync(releases))('what version %s has stored', (version) => {
  let dataDirectory: string;
  beforeEach(() => {
    dataDirectory = mkdtempSync(join(tmpdir(), 'memhall-upgrade-'));
    for (const key of ['audit-key', 'master-key']) {
      cpSync(join(releases, version, key), join(dataDirectory, key));
      chmodSync(join(dataDirectory, key), 0o600);
    }
  });
  afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }));
  const read = (name: string) => brotliDecompressSync(readFileSync(join(releases, version, name)));

  it('is migrated in an embedded database', async () => {
    execFileSync('tar', ['--extract', '--directory', dataDirectory], { input: read('embedded.tar.br') });
    await expectEverything({ dataDirectory }, ['--data', dataDirectory]);
  });

  it.runIf(server !== null)('is migrated in PostgreSQL', async () => {
    const name = `upgrade_${process.pid}_${version.replace(/\W/g, '_')}`;
    const admin = new Client({ connectionString: server ?? '' });
    await admin.connect();
    // The cluster is temporary, so it is not dropped.
    await admin.query(`CREATE DATABASE ${name}`);
    await admin.end();
    const databaseUrl = Object.assign(new URL(server ?? ''), { pathname: `/${name}` }).href;
    execFileSync('psql', ['--quiet', '--set', 'ON_ERROR_STOP=1', databaseUrl], {
      input: read('postgres.sql.br'),
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    await expectEverything({ databaseUrl, dataDirectory }, ['--database-url', databaseUrl, '--data', dataDirectory]);
  });
});

async function expectEverything(
  where: { databaseUrl?: string; dataDirectory: string },
  flags: string[],
): Promise<void> {
  const memhall = await openMemhall({ ...where, embedder: 'none' });
  const memory = memhall.as({ user: 'me' });
  const [tea] = await memory.recall('tea');
  expect(tea?.memory.content).toBe('I take my tea with lemon.');
  const { items } = await memory.facts.list({ subject: 'me', attribute: 'works at' });
  expect(items.map(({ fact }) => fact.value)).toEqual(['the harbour']);
  await memory.remember('I still take my tea with lemon.');
  await memhall.close();
  expect(await runCommand(['audit', 'verify', ...flags])).toMatchObject({ code: 0 });
}
