import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { openMemhall } from '../src/open-memhall.js';

/** What each released version left behind. scripts/release/write-upgrade-data.mjs writes it. */
const releases = fileURLToPath(new URL('../test-data/releases/', import.meta.url));
const server = inject('postgresUrl');

describe.each(server === null ? [] : readdirSync(releases))('a database of version %s', (version) => {
  it('is migrated, and has everything that was stored', async () => {
    const name = `upgrade_${process.pid}_${version.replace(/\W/g, '_')}`;
    const admin = new Client({ connectionString: server ?? '' });
    await admin.connect();
    // The cluster is temporary, so it is not dropped.
    await admin.query(`CREATE DATABASE ${name}`);
    const dataDirectory = mkdtempSync(join(tmpdir(), 'memhall-upgrade-'));
    cpSync(join(releases, version), dataDirectory, { recursive: true });
    for (const key of ['audit-key', 'master-key']) chmodSync(join(dataDirectory, key), 0o600);
    try {
      const databaseUrl = Object.assign(new URL(server ?? ''), { pathname: `/${name}` }).href;
      const dump = gunzipSync(readFileSync(join(dataDirectory, 'postgres.sql.gz')));
      execFileSync('psql', ['--quiet', '--set', 'ON_ERROR_STOP=1', databaseUrl], {
        input: dump,
        stdio: ['pipe', 'ignore', 'pipe'],
      });
      const memhall = await openMemhall({ databaseUrl, dataDirectory, embedder: 'none' });
      const memory = memhall.as({ user: 'me' });
      const [tea] = await memory.recall('tea');
      expect(tea?.memory.content).toBe('I take my tea with lemon.');
      const { items } = await memory.facts.list({ subject: 'me', attribute: 'works at' });
      expect(items.map(({ fact }) => fact.value)).toEqual(['the harbour']);
      await memory.remember('I still take my tea with lemon.');
      await memhall.close();
    } finally {
      await admin.end();
      rmSync(dataDirectory, { recursive: true, force: true });
    }
  });
});
