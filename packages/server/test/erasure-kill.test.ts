import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { signToken } from '../src/cli/sign-token.js';
import { tokenSecret } from '../src/composition/token-verifier.js';
import { flagsOf, runCommand, type ServerProcess, spawnServer } from './support/command.js';
import { describeOneDatabase, type TestDatabase } from './support/databases.js';
import { findText } from './support/find-text.js';
import { pastEverything } from './support/past-everything.js';
import { newMarker, personalWrites } from './support/personal-writes.js';
import { type Answer, type Call, send } from './support/server.js';

const rounds = process.env.MEMHALL_TEST_LONG === undefined ? 1 : 20;
const bulk = 2000;

describeOneDatabase('a server killed while it erases', (database) => {
  const flags = () => [...flagsOf(database()), '--log-level', 'silent', '--embedder', 'none'];
  const start = () => spawnServer(flags());

  async function token(tenant: string, user: string, ...roles: string[]): Promise<string> {
    const secret = (await tokenSecret(database().config())) ?? '';
    return signToken(secret, { tenant, user, roles, ttlSeconds: 3600 });
  }

  /** Sends a call and kills the server before, during or after its execution. */
  async function interrupt(server: ServerProcess, call: Call): Promise<Answer | undefined> {
    const answer = send(server.url, call).catch(() => undefined);
    await sleep(Math.random() * 250);
    server.child.kill('SIGKILL');
    await server.ended;
    return answer;
  }

  async function stop(server: ServerProcess): Promise<void> {
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  }

  async function verify(): Promise<void> {
    const verified = await runCommand(['audit', 'verify', ...flagsOf(database())]);
    expect(verified.stdout).toMatch(/faults=0\n/);
  }

  async function fill(server: ServerProcess, tenant: string, user: string, marker: string): Promise<void> {
    const own = await token(tenant, user);
    for (const call of personalWrites({ tenant, user }, marker)) {
      expect((await send(server.url, { ...call, token: own })).status).toBeLessThan(300);
    }
    await insertMany(database(), { tenant, user, marker });
  }

  it(
    `forgets a user completely or not at all, ${rounds} times in a row`,
    async () => {
      const admin = await token('t1', 'boss', 'admin');
      const call = { method: 'DELETE', path: '/v1/tenants/t1/users/u1/memory', token: admin };
      for (let round = 0; round < rounds; round++) {
        const marker = newMarker();
        const doomed = await start();
        await fill(doomed, 't1', 'u1', marker);
        const before = await footprint(database());
        const answer = await interrupt(doomed, call);
        const survivor = await start();
        const after = await footprint(database());
        if (answer?.status === 200 || after.memories === 0) expect(new Set(Object.values(after))).toEqual(new Set([0]));
        else expect(after).toEqual(before);
        const { status, body } = await send(survivor.url, call);
        expect(status).toBe(200);
        expect(await findText(database(), marker)).toEqual([]);
        const path = `/v1/tenants/t1/receipts/${body.receipt.id}`;
        expect((await send(survivor.url, { path, token: admin })).body.verified).toBe(true);
        await stop(survivor);
      }
      await verify();
    },
    rounds * 60_000,
  );

  it(
    `resumes the erasure of a tenant, ${rounds} times in a row`,
    async () => {
      for (let round = 0; round < rounds; round++) {
        const tenant = `tenant-${round}`;
        const marker = newMarker();
        const admin = await token(tenant, 'boss', 'admin');
        const call = { method: 'DELETE', path: `/v1/tenants/${tenant}`, token: admin };
        const doomed = await start();
        for (const user of ['u1', 'u2', 'u3']) await fill(doomed, tenant, user, marker);
        const finished = await interrupt(doomed, call);
        const survivor = await start();
        const { status, body } = await send(survivor.url, call);
        expect(status).toBe(200);
        expect(await findText(database(), marker)).toEqual([]);
        const [receipts] = await pastEverything<{ documents: number }>(
          database(),
          `SELECT sum((counts ->> 'documents')::int)::int AS documents FROM memhall.receipts WHERE tenant_id = '${tenant}'`,
        );
        expect(receipts?.documents).toBe(12);
        if (finished === undefined) expect([0, 12]).toContain(body.counts.documents);
        await stop(survivor);
      }
      await verify();
    },
    rounds * 60_000,
  );

  it(
    `applies retention exactly once, ${rounds} times in a row`,
    async () => {
      const admin = await token('t1', 'boss', 'admin');
      const body = { profile_id: 'project-copilot-v1' };
      for (let round = 0; round < rounds; round++) {
        const user = `aging-${round}`;
        const call = { method: 'POST', path: `/v1/tenants/t1/users/${user}/retention:apply`, body, token: admin };
        const doomed = await start();
        await insertMany(database(), { tenant: 't1', user, marker: 'old' });
        await interrupt(doomed, call);
        const survivor = await start();
        expect((await send(survivor.url, call)).status).toBe(200);
        expect((await send(survivor.url, call)).body).toMatchObject({ events_deleted: 0, search_documents_deleted: 0 });
        const [told] = await pastEverything<{ events: number; indexed: number }>(
          database(),
          `SELECT sum((record::json -> 'removed' ->> 'eventsDeleted')::int)::int AS events,
             sum((record::json -> 'removed' ->> 'searchDocumentsDeleted')::int)::int AS indexed
           FROM memhall.audit_records WHERE tenant_id = 't1' AND user_id = '${user}' AND target = 'retention'`,
        );
        expect(told).toEqual({ events: bulk, indexed: bulk });
        await stop(survivor);
      }
      await verify();
    },
    rounds * 60_000,
  );
});

/** Returns the number of rows per table of user u1 in tenant t1. */
async function footprint(database: TestDatabase): Promise<Record<string, number>> {
  const tables = ['memories', 'artifacts', 'sessions', 'plans', 'working_values', 'audit_records', 'idempotency_keys'];
  const counts = tables.map(
    (table) => `(SELECT count(*)::int FROM memhall.${table} WHERE tenant_id = 't1' AND user_id = 'u1') AS ${table}`,
  );
  const [row] = await pastEverything<Record<string, number>>(database, `SELECT ${counts.join(', ')}`);
  return row ?? {};
}

/** Inserts old events and their entries in the search index. */
async function insertMany(database: TestDatabase, { tenant, user, marker }: Record<string, string>): Promise<void> {
  await pastEverything(
    database,
    `INSERT INTO memhall.artifacts (tenant_id, user_id, kind, folder, name, version, etag, body, size_chars, occurred_at, created_at, updated_at)
     SELECT '${tenant}', '${user}', 'event', '', '${marker}-bulk-' || n, 1, 'e', '{}', 2, now() - interval '400 days', now(), now()
     FROM generate_series(1, ${bulk}) n`,
  );
  await pastEverything(
    database,
    `INSERT INTO memhall.memories (tenant_id, id, user_id, kind, content, content_hash, external_id, occurred_at, created_at,
       updated_at, analysis, terms, term_count, traits)
     SELECT '${tenant}', '${user}-${marker}-' || n, '${user}', 'event', '${marker}', 'h' || n, '${marker}-bulk-' || n, now(), now(),
       now(), 'a-1', ''::bytea, 0, 0 FROM generate_series(1, ${bulk}) n`,
  );
}
