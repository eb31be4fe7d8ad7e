import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { memoryKinds } from '../src/engine/memories/kinds.js';
import { newMasterKey } from '../src/providers/master-key-wrapper.js';
import { archiveTables } from '../src/store/postgres/archive-tables.js';
import { flagsOf, runCommand } from './support/command.js';
import { createTestDatabase, type DatabaseKind, type TestDatabase } from './support/databases.js';
import { fillNamespaces, fillTenant } from './support/filled-tenant.js';
import { pastEverything } from './support/past-everything.js';
import { type Call, startTestServer, type TestServer } from './support/server.js';

const directions: [DatabaseKind, DatabaseKind][] =
  inject('postgresUrl') === null
    ? [['embedded', 'embedded']]
    : [
        ['embedded', 'postgres'],
        ['postgres', 'embedded'],
      ];

/** All types except those that appear only in archives of single users. */
const typesOfTenants = archiveTables.flatMap(({ name, isForReading }) => (isForReading ? [] : [name])).sort();

const secrets = { masterKey: newMasterKey(), jwtSecret: 'a secret that both servers know of, and nobody else' };
const settings = { embedder: 'local', ...secrets };
const environment = { MEMHALL_MASTER_KEY: secrets.masterKey, MEMHALL_EMBEDDER: 'local' };

describe.each(directions)('an archive made on %s and imported on %s', (from, to) => {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-archive-'));
  const archive = join(directory, 'archive.jsonl');
  const heads = join(directory, 'heads.jsonl');
  let source: TestDatabase;
  let target: TestDatabase;
  let questions: Call[];
  const answers: Record<string, unknown>[] = [];

  const askAll = async (server: TestServer) => {
    const found = [];
    for (const question of questions) {
      const { status, body, headers } = await server.call(question);
      found.push({ question: question.path, status, body, etag: headers.get('etag') });
    }
    return found;
  };
  const run = (...args: string[]) => runCommand(args, environment);
  const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

  beforeAll(async () => {
    [source, target] = await Promise.all([createTestDatabase(from), createTestDatabase(to)]);
    await fillNamespaces(source, settings);
    const server = await startTestServer(source, { ...settings, jobs: 'true' });
    // The daily compaction runs first, so that it does not change anything in the middle of the test.
    await compacted(source);
    questions = await fillTenant(server);
    await server.call({
      method: 'PUT',
      path: '/v1/memory/working/p/k',
      body: { value: 'of another tenant' },
      token: await server.token({ tenant: 't2' }),
    });
    answers.push(...(await askAll(server)));
    await run('audit', 'heads', '--tenant', 't1', '--sign-now', '--output', heads, ...flagsOf(source));
    const beside = await run('export', '--tenant', 't1', '--output', archive, ...flagsOf(source));
    expect(beside).toMatchObject({ code: 0, stderr: '' });
    expect(beside.stdout).toMatch(/^Export complete: tenant=t1 records=\d+\n$/);
    await server.close();
  }, 180_000);

  afterAll(async () => {
    await Promise.all([source.remove(), target.remove()]);
    rmSync(directory, { recursive: true });
  });

  it('has records of every type', () => {
    const types = linesOf(archive)
      .slice(1, -1)
      .map((line) => JSON.parse(line).type);
    expect([...new Set(types)].sort()).toEqual(typesOfTenants);
  });

  it('yields the same responses and scores, and an audit log that verifies', async () => {
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const imported = await run('import', '--input', archive, ...flagsOf(target));
    expect(imported.stderr).toBe('');
    expect(imported.stdout).toMatch(/^Import complete: tenant=t1 records=(\d+) added=\1 present=0 left_out=0\n$/);
    const server = await startTestServer(target, settings);
    expect(await askAll(server)).toEqual(answers);
    await server.close();
    const verified = await run('audit', 'verify', ...flagsOf(target));
    expect(verified.stdout).toMatch(
      /^Verify complete: chains=6 records=\d+ faults=0\nSigned heads: heads=(\d+) given=0 unchecked=\1 /,
    );
    const rebuilt = await run('audit', 'rebuild', '--tenant', 't1', ...flagsOf(target));
    expect(rebuilt.stdout).toMatch(/documents=11 differing=0\n$/);
  }, 120_000);

  it('has an audit log that the heads of the source prove, to those who know its key', async () => {
    const { stdout: key } = await run('audit', 'key', ...flagsOf(source));
    const trusting = ['--heads', heads, '--key', key.trim(), ...flagsOf(target)];
    const { code, stdout } = await run('audit', 'verify', ...trusting);
    expect(stdout).toMatch(/ faults=0\nSigned heads: heads=\d+ given=[1-9]\d* unchecked=0 records=[1-9]\d*\n$/);
    expect(code).toBe(0);
    await pastEverything(target, `DELETE FROM memhall.audit_log_leaves WHERE tenant_id = 't1' AND position = 0`);
    const tampered = await run('audit', 'verify', ...trusting);
    expect(tampered.stdout).toMatch(/^fault: tenant=t1 log=\w+ size=\d+ shortened\n/);
    expect(tampered.code).toBe(1);
    await pastEverything(
      target,
      `DELETE FROM memhall.audit_logs; DELETE FROM memhall.audit_log_heads;
      DELETE FROM memhall.audit_log_chains; DELETE FROM memhall.audit_log_leaves`,
    );
    const restored = await run('import', '--input', archive, ...flagsOf(target));
    expect(restored.code).toBe(0);
  });

  it('has memories of kinds in the table of kinds only', async () => {
    const stored = await pastEverything(source, 'SELECT DISTINCT kind FROM memhall.memories');
    const kinds = stored.map(({ kind }) => String(kind));
    expect(kinds.length).toBeGreaterThan(4);
    expect(Object.keys(memoryKinds)).toEqual(expect.arrayContaining(kinds));
  });

  it('adds nothing when imported a second time', async () => {
    const again = await run('import', '--input', archive, ...flagsOf(target));
    expect(again.stdout).toMatch(/^Import complete: tenant=t1 records=(\d+) added=0 present=\1 left_out=0\n$/);
  });

  it('is identical when exported again from the target', async () => {
    const second = join(directory, 'second.jsonl');
    await run('export', '--tenant', 't1', '--output', second, ...flagsOf(target));
    expect(linesOf(second).slice(1, -1)).toEqual(linesOf(archive).slice(1, -1));
    expect(await pastEverything(target, 'SELECT DISTINCT tenant_id FROM memhall.working_values')).toEqual([
      { tenant_id: 't1' },
    ]);
  });
});

async function compacted(database: TestDatabase): Promise<void> {
  const state = `SELECT state FROM memhall_queue.job WHERE name = 'compact' AND state = 'completed'`;
  while ((await pastEverything(database, state)).length === 0) await sleep(50);
}
