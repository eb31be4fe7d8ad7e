import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { BlobServiceClient } from '@azure/storage-blob';
import { findConsistencyFault, findProofFault, isSignedHead, type SignedHead } from '@memhall/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWitness } from '../src/composition/open-witness.js';
import type { RunningEngine } from '../src/composition/start-engine.js';
import { putWorkingValue } from '../src/engine/state/working-values.js';
import { signHeadsJob } from '../src/jobs/sign-heads-job.js';
import { useAzurite } from './support/azurite.js';
import { flagsOf, runCommand } from './support/command.js';
import { DatabaseOwner } from './support/database-owner.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { expectProblem } from './support/expect-problem.js';
import { pastEverything } from './support/past-everything.js';
import { useServer } from './support/server.js';

async function write({ engine }: Pick<RunningEngine, 'engine'>, userId: string, tenantId = 't1'): Promise<void> {
  const input = { planId: 'p', key: randomUUID(), value: 1, ttlSeconds: undefined };
  await putWorkingValue(engine, callerOf(userId, tenantId), { ...input, precondition: { kind: 'none' } });
}

const linesOf = (text: string): SignedHead[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describeOneDatabase('the commands for the signed audit log', (database) => {
  const running = useEngine(database);
  const run = (...args: string[]) => runCommand(['audit', ...args, ...flagsOf(database())]);
  const path = (name: string) => join(database().flags.dataDirectory ?? '', name);

  it('sign, export, verify and prove, and find what the owner of the database did', async () => {
    for (let index = 0; index < 3; index++) await write(running(), 'u1');
    await write(running(), 'u2');
    const key = (await run('key')).stdout.trim();
    expect(key).toBe(running().engine.auditKey.publicKey);

    const printed = await run('heads', '--sign-now');
    expect(printed).toMatchObject({ code: 0, stderr: 'Heads complete: heads=1\n' });
    const [head] = linesOf(printed.stdout);
    expect(head).toMatchObject({ tenant: 't1', size: 4, key });
    expect(await isSignedHead(head as SignedHead, [key])).toBe(true);

    await write(running(), 'u1');
    mkdirSync(path('kept/t1'), { recursive: true });
    const kept = await run('heads', '--tenant', 't1', '--sign-now', '--output', path('kept/t1/heads.jsonl'));
    expect(kept).toEqual({ code: 0, stdout: 'Heads complete: heads=2\n', stderr: '' });
    const verified = await run('verify', '--heads', path('kept'));
    expect(verified).toEqual({
      code: 0,
      stdout: 'Verify complete: chains=2 records=5 faults=0\nSigned heads: heads=2 given=2 unchecked=0 records=5\n',
      stderr: '',
    });

    const proven = await run('prove', '--tenant', 't1', '--user', 'u1', '--seq', '2');
    const proof = JSON.parse(proven.stdout);
    expect(await findProofFault(proof, [key])).toBeUndefined();
    expect(JSON.parse(proof.record)).toMatchObject({ user_id: 'u1', operation: 'test' });
    expect(proven.stdout.length).toBeLessThan(2000);
    const grown = await run('prove', '--tenant', 't1', '--from', '4', '--to', '5');
    expect(await findConsistencyFault(JSON.parse(grown.stdout), [key])).toBeUndefined();

    await new DatabaseOwner(running().database.pool).rewrite('u1', 2, (record) => record.replace('"u1"', '"u9"'));
    const found = await run('verify', '--heads', path('kept'));
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(/^fault: tenant=t1 user=u1 seq=2 rewritten\nVerify complete: .* faults=1\n/);
    const unproven = await run('prove', '--tenant', 't1', '--user', 'u1', '--seq', '2');
    expect(unproven.stderr).toContain('Record 2 is not as it was signed. Run `memhall audit verify --tenant t1`.');
  });

  it.each([
    [['prove', '--tenant', 't1'], 'Name a record with --user and --seq, or two heads with --from and --to.'],
    [['prove', '--tenant', 't1', '--user', 'u1', '--seq', '0'], '--seq must be a positive number, not "0".'],
    [['prove', '--tenant', 't1', '--user', 'u1', '--seq', '99'], 'The audit log has no record 99 of this user.'],
    [['prove', '--tenant', 't1', '--from', '3'], 'The log has no signed heads of these sizes.'],
    [['heads', '--new-log'], '--new-log requires --tenant.'],
    [['verify', '--heads', '/nosuch'], 'The heads in /nosuch cannot be read (ENOENT).'],
    [['verify', '--key', 'x'], '--key must be public keys'],
  ])('refuse %j', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  it('refuse a file that holds something else than heads', async () => {
    writeFileSync(path('notes.txt'), '\n{"tenant":"t1"}\n');
    const { code, stderr } = await run('verify', '--heads', path('notes.txt'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('notes.txt:2 is not a signed head.')]);
    writeFileSync(path('notes.txt'), '');
    expect((await run('verify', '--heads', path('notes.txt'))).stderr).toContain('There are no signed heads in');
  });
});

describeOneDatabase('the key that signs the audit log', (database) => {
  const keyFile = () => join(database().flags.dataDirectory ?? '', 'audit-key');
  const run = (args: string[], environment: Record<string, string> = {}) =>
    runCommand(['audit', ...args, ...flagsOf(database())], environment);

  it('is created once, readable by nobody else', async () => {
    const { stdout } = await run(['key']);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    expect((await run(['key'])).stdout).toBe(stdout);
  });

  it('is refused if every user of the machine can read it', async () => {
    await run(['key']);
    chmodSync(keyFile(), 0o644);
    const { code, stderr } = await run(['key']);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Run: chmod 600 ${keyFile()}`)]);
    chmodSync(keyFile(), 0o600);
  });

  it('can be given as a setting, and must be a key', async () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const { stdout } = await run(['key'], { MEMHALL_AUDIT_KEY: key });
    expect(stdout).toBe('6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=\n');
    const refused = await run(['key'], { MEMHALL_AUDIT_KEY: 'secret' });
    expect(refused.stderr).toContain('MEMHALL_AUDIT_KEY must be 32 bytes in base64');
    expect(refused.stderr).not.toContain('secret');
    const previous = await run(['key'], { MEMHALL_AUDIT_KEY_PREVIOUS: 'x' });
    expect(previous.stderr).toContain('MEMHALL_AUDIT_KEY_PREVIOUS must be public keys');
  });

  it('is not created by verifying, which says that it cannot check signatures without one', async () => {
    rmSync(keyFile(), { force: true });
    const record = '{"target":"x","at":"2026-01-01","operation":"o"}';
    await pastEverything(database(), `SELECT memhall.append_audit('t1', 'u1', ARRAY['${record}'])`);
    const key = Buffer.alloc(32, 7).toString('base64');
    expect((await run(['heads', '--sign-now'], { MEMHALL_AUDIT_KEY: key })).code).toBe(0);
    const { code, stdout } = await run(['verify']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('heads=1 given=0 unchecked=1 records=1\nThe unchecked'),
    ]);
    expect(() => statSync(keyFile())).toThrow('ENOENT');
    await run(['key']);
    const other = await run(['verify']);
    expect([other.code, other.stdout]).toEqual([
      1,
      expect.stringMatching(/^fault: tenant=t1 log=\w+ size=1 untrusted\n/),
    ]);
    const refused = await run(['heads', '--tenant', 't1', '--sign-now']);
    expect(refused.stderr).toContain('run `memhall audit heads --tenant t1 --new-log`');
    expect((await run(['heads', '--tenant', 't1', '--new-log'])).code).toBe(0);
    expect((await run(['verify'])).stdout).toContain('faults=0\nSigned heads: heads=2 given=0 unchecked=1 records=2\n');
  });
});

describeOneDatabase('a witness of signed heads', (database) => {
  const running = useEngine(database);
  const azurite = useAzurite();
  const received: { head: SignedHead; authorization: string | undefined }[] = [];
  let status = 204;
  let server: Server;
  beforeEach(async () => {
    received.length = 0;
    status = 204;
    await running().database.pool.query(
      `TRUNCATE memhall.audit_records, memhall.audit_heads, memhall.audit_logs, memhall.audit_log_chains,
         memhall.audit_log_leaves, memhall.audit_log_heads`,
    );
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      if (status < 300) received.push({ head: JSON.parse(body), authorization: request.headers.authorization });
      response.writeHead(status).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/heads`;

  async function runJob(settings: Record<string, string>, everyMs = 1): Promise<unknown> {
    const witness = await openWitness(database().config(settings));
    const context = { ...running().jobContext, signing: { witness, everyMs } };
    return signHeadsJob.run(context, {}, new AbortController().signal);
  }

  it('receives every head by HTTP, also those that it missed while it was down', async () => {
    const settings = { auditWitness: url(), auditWitnessSecret: 'for-the-witness' };
    await write(running(), 'u1');
    await write(running(), 'u1', 't2');
    expect(await runJob(settings)).toEqual({ signed: 2, sent: 2 });
    expect(received.map(({ head, authorization }) => [head.tenant, head.size, authorization])).toEqual([
      ['t1', 1, 'Bearer for-the-witness'],
      ['t2', 1, 'Bearer for-the-witness'],
    ]);
    status = 503;
    await write(running(), 'u1');
    await expect(runJob(settings)).rejects.toThrow(`The audit witness at ${url()} responded with status 503.`);
    expect(await running().engine.store.signingState()).toMatchObject({ unsignedRecords: 0, waitingHeads: 1 });
    status = 204;
    await write(running(), 'u1');
    await runJob(settings);
    expect(received.map(({ head }) => head.size).sort()).toEqual([1, 1, 2, 3]);
    expect(await running().engine.store.signingState()).toEqual({
      unsignedRecords: 0,
      waitingHeads: 0,
      waitingSince: null,
    });
    expect(await runJob(settings)).toEqual({ signed: 0, sent: 0 });
  });

  it('receives a new head even if the database claims that it has it', async () => {
    await running().database.pool.query(
      `ALTER TABLE memhall.audit_log_heads ALTER witnessed_at SET DEFAULT '2026-01-01'`,
    );
    await write(running(), 'u1');
    await runJob({ auditWitness: url() });
    expect(received).toHaveLength(1);
    await running().database.pool.query('ALTER TABLE memhall.audit_log_heads ALTER witnessed_at DROP DEFAULT');
  });

  it('can be a file, whose lines verify the log', async () => {
    const file = join(database().flags.dataDirectory ?? '', 'witness.jsonl');
    for (let round = 0; round < 2; round++) {
      await write(running(), 'u1');
      await runJob({ auditWitness: `file:${file}` });
    }
    const heads = linesOf(readFileSync(file, 'utf8'));
    expect(heads.map(({ size }) => size)).toEqual([1, 2]);
    const verified = await runCommand(['audit', 'verify', '--heads', file, ...flagsOf(database())]);
    expect(verified.stdout).toContain('Signed heads: heads=2 given=2 unchecked=0 records=2\n');
    await write(running(), 'u1');
    await expect(runJob({ auditWitness: 'file:/nosuch/heads' })).rejects.toThrow(
      '/nosuch/heads cannot be written (ENOENT)',
    );
  });

  it('can be a blob container, in which each head is a blob that is never replaced', async () => {
    const connectionString = azurite().connectionString();
    const container = `witness-${randomUUID()}`;
    const settings = { auditWitness: `azure-blob:${container}`, auditWitnessSecret: connectionString };
    await write(running(), 'u1');
    await runJob(settings);
    await running().database.pool.query('UPDATE memhall.audit_log_heads SET witnessed_at = NULL');
    await write(running(), 'u1');
    expect(await runJob(settings)).toEqual({ signed: 1, sent: 2 });
    const blobs = BlobServiceClient.fromConnectionString(connectionString).getContainerClient(container);
    const names: string[] = [];
    for await (const { name } of blobs.listBlobsFlat()) names.push(name);
    expect(names).toEqual(
      [1, 2].map((size) => expect.stringMatching(`^audit-heads/t1/\\w{16}/0{15}${size}-\\w{16}.json$`)),
    );
    const stored = await blobs.getBlobClient(names[1] ?? '').downloadToBuffer();
    expect(await isSignedHead(JSON.parse(stored.toString()), running().engine.auditKey.trustedKeys)).toBe(true);
  });

  it('gets heads as often as it is configured, or on demand', async () => {
    await write(running(), 'u1');
    const settings = { auditWitness: url() };
    expect(await runJob(settings, 0)).toEqual({ signed: 0, sent: 0 });
    expect(await runJob(settings, 60_000)).toEqual({ signed: 1, sent: 1 });
    await write(running(), 'u1');
    expect(await runJob(settings, 60_000)).toEqual({ signed: 0, sent: 0 });
    const context = {
      ...running().jobContext,
      signing: { witness: await openWitness(database().config(settings)), everyMs: 0 },
    };
    const onDemand = await signHeadsJob.run(context, { tenantId: 't1' }, new AbortController().signal);
    expect(onDemand).toEqual({ signed: 1, sent: 1 });
  });

  it.each([
    [{ auditWitness: 'ftp://host' }, 'MEMHALL_AUDIT_WITNESS must be an https URL'],
    [{ auditWitness: 'http://elsewhere.example' }, 'MEMHALL_AUDIT_WITNESS must be an https URL'],
    [{ auditWitness: 'azure-blob:X' }, 'must name an Azure container'],
    [{ auditWitness: 'azure-blob:heads' }, 'requires MEMHALL_AUDIT_WITNESS_SECRET or a storage account'],
    [{ auditWitness: 'https://h', auditWitnessSecret: 'a b' }, 'must be printable ASCII'],
    [{ auditWitnessSecret: 'x' }, 'MEMHALL_AUDIT_WITNESS_SECRET requires MEMHALL_AUDIT_WITNESS'],
  ])('cannot be configured as %j', (settings, message) => {
    expect(() => database().config(settings)).toThrow(message);
  });
});

describeOneDatabase('the signed audit log over HTTP', (database) => {
  const server = useServer(database, { auditWitness: 'file:/nosuch/heads' });
  const admin = () => server().token({ user: 'boss', roles: ['admin'] });
  const get = async (path: string) => server().call({ path, token: await admin() });

  describe('for admins', () => {
    it('lists heads and proves records and growth', async () => {
      for (const key of ['a', 'b', 'c']) {
        await server().call({ method: 'PUT', path: `/v1/memory/working/p/${key}`, body: { value: 1 } });
        const signed = await runCommand(['audit', 'heads', '--sign-now', ...flagsOf(database())]);
        expect(signed.code).toBe(0);
      }
      const key = (await runCommand(['audit', 'key', ...flagsOf(database())])).stdout.trim();
      const first = await get('/admin/audit/heads?limit=2');
      expect(first.body.heads.map(({ size }: SignedHead) => size)).toEqual([1, 2]);
      const rest = await get(`/admin/audit/heads?limit=2&cursor=${first.body.next_cursor}`);
      expect(rest.body).toEqual({ heads: [expect.objectContaining({ size: 3 })] });
      const proof = await get('/admin/audit/proof?user_id=u1&seq=2');
      expect(await findProofFault(proof.body, [key])).toBeUndefined();
      expect(JSON.parse(proof.body.record).target).toBe('working/p/b');
      const grown = await get('/admin/audit/consistency?from=1');
      expect([grown.body.first.size, grown.body.second.size]).toEqual([1, 3]);
      expect(await findConsistencyFault(grown.body, [key])).toBeUndefined();
    });

    it('knows only records that exist and are signed', async () => {
      await server().call({ method: 'PUT', path: '/v1/memory/working/p/d', body: { value: 1 } });
      expectProblem(await get('/admin/audit/proof?user_id=u1&seq=4'), 'NOT_FOUND');
      expectProblem(await get('/admin/audit/proof?user_id=nobody&seq=1'), 'NOT_FOUND');
      expectProblem(await get('/admin/audit/consistency?from=7'), 'NOT_FOUND');
      expectProblem(await get('/admin/audit/consistency?from=3&to=1'), 'INVALID_REQUEST');
      expectProblem(await get('/admin/audit/proof?seq=0'), 'INVALID_REQUEST');
    });
  });

  it('is closed to others', async () => {
    for (const path of ['heads', 'proof?user_id=u1&seq=1', 'consistency?from=1']) {
      expectProblem(await server().call({ path: `/admin/audit/${path}` }), 'FORBIDDEN');
    }
  });

  it('is in the health and the metrics, with what waits for-the-witness', async () => {
    const { body } = await server().call({ path: '/health', token: await server().token({ roles: ['operator'] }) });
    expect(body.audit_log).toMatchObject({ unsigned_records: 1, witness: 'file:/nosuch/heads', waiting_heads: 3 });
    expect(body.audit_log.waiting_seconds).toBeGreaterThan(0);
    const { body: metrics } = await server().call({ path: '/metrics' });
    expect(metrics).toMatch(/^memhall_audit_unsigned_records 1$/m);
    expect(metrics).toMatch(/^memhall_audit_waiting_heads 3$/m);
    expect(metrics).toMatch(/^memhall_audit_witness_lag_seconds \d/m);
  });
});
