import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../src/composition/open-database.js';
import type { Database, TransactionScope } from '../src/store/database.js';
import { forTests } from './support/citus/recorder.js';
import { connectDirectly, createTestDatabase, describeEachDatabase, type TestDatabase } from './support/databases.js';

const silent = pino({ level: 'silent' });
const scope: TransactionScope = {
  role: 'memhall_app',
  tenantId: 't1',
  userId: 'u1',
  workspaceId: '',
  noteOwners: [],
  namespaces: [],
  writableNamespaces: [],
  since: 0,
  operation: 'test',
};
const insert = `INSERT INTO memhall.working_values (tenant_id, user_id, plan_id, key, value, etag, created_at, updated_at)
                VALUES ('t1', 'u1', 'p', $1, '1', 'e', now(), now())`;
const keys = `${forTests} SELECT key FROM memhall.working_values ORDER BY key`;

describeEachDatabase('a transaction', (database) => {
  let opened: Database;
  beforeAll(async () => {
    opened = await openDatabase(database().config(), silent);
  });
  afterAll(() => opened.close());

  const storedKeys = () =>
    opened.read(scope, async (statements) => (await statements.query<{ key: string }>(keys)).map(({ key }) => key));

  it('runs in its role and scope and resets both afterwards', async () => {
    const settings = `SELECT current_user AS role, current_setting('app.tenant_id') AS tenant, current_setting('app.user_id') AS "user"`;
    const inside = await opened.read(scope, (statements) => statements.query(settings));
    expect(inside).toEqual([{ role: 'memhall_app', tenant: 't1', user: 'u1' }]);
    const outside = await opened.pool.query(
      `SELECT current_user AS role, coalesce(current_setting('app.tenant_id', true), '') AS tenant`,
    );
    expect(outside.rows).toEqual([{ role: 'postgres', tenant: '' }]);
  });

  it('does not have its statements compiled', async () => {
    const jit = `SELECT current_setting('jit') AS jit`;
    expect(await opened.read(scope, (statements) => statements.query(jit))).toEqual([{ jit: 'off' }]);
    expect(await opened.write(scope, (statements) => statements.query(jit))).toEqual([{ jit: 'off' }]);
  });

  it('rejects writes when it is opened for reading', async () => {
    await expect(opened.read(scope, (statements) => statements.query(insert, ['x']))).rejects.toMatchObject({
      code: '25006',
    });
  });

  it('stores nothing when its work throws', async () => {
    const failure = opened.write(scope, async (statements) => {
      await statements.query(insert, ['thrown']);
      throw new Error('changed my mind');
    });
    await expect(failure).rejects.toThrow('changed my mind');
    expect(await storedKeys()).toEqual([]);
  });

  it('stores nothing when a queued statement fails, and reports the first cause', async () => {
    const failure = opened.write(scope, async (statements) => {
      statements.enqueue(insert, ['queued']);
      statements.enqueue('SELECT 1/0');
      statements.enqueue(insert, ['late']);
    });
    await expect(failure).rejects.toMatchObject({ code: '22012' });
    expect(await storedKeys()).toEqual([]);
  });

  it('fails a statement after a failed queued one, and the next transaction succeeds', async () => {
    const failure = opened.write(scope, async (statements) => {
      statements.enqueue('SELECT 1/0');
      await statements.query(keys);
    });
    await expect(failure).rejects.toMatchObject({ code: expect.stringMatching(/^(22012|25P02)$/) });
    await opened.write(scope, async (statements) => statements.enqueue(insert, ['after']));
    expect(await storedKeys()).toEqual(['after']);
    await opened.write(scope, async (statements) =>
      statements.enqueue(`${forTests} DELETE FROM memhall.working_values`),
    );
  });

  it('retries when the database asks for it', async () => {
    let tries = 0;
    const result = await opened.write(scope, async (statements) => {
      tries += 1;
      if (tries < 3) await statements.query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`);
      return tries;
    });
    expect(result).toBe(3);
  });

  it('gives up after a few tries', async () => {
    const stubborn = opened.write(scope, (statements) =>
      statements.query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40P01'; END $$`),
    );
    await expect(stubborn).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 1 });
  });

  it('waits only for other writes of the same user', async () => {
    const order: string[] = [];
    const slow = opened.write(scope, async (statements) => {
      order.push('slow begins');
      await sleep(100);
      await statements.query('SELECT 1');
      order.push('slow ends');
    });
    await sleep(10);
    const same = opened.write(scope, async () => void order.push('same user'));
    if (database().kind === 'postgres') {
      await opened.write({ ...scope, userId: 'u2' }, async () => void order.push('other user'));
      expect(order).toEqual(['slow begins', 'other user']);
    }
    await Promise.all([slow, same]);
    expect(order.filter((step) => step !== 'other user')).toEqual(['slow begins', 'slow ends', 'same user']);
  });
});

describe.runIf(inject('postgresUrl') !== null)('transactions on PostgreSQL', () => {
  let database: TestDatabase;
  let opened: Database;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    opened = await openDatabase(database.config(), silent);
  });
  afterAll(async () => {
    await opened.close();
    await database.remove();
  });

  it('fails with UNAVAILABLE when the connection is lost, then reconnects', async () => {
    const direct = connectDirectly(database);
    const hit = opened.write(scope, async (statements) => {
      await statements.query(insert, ['lost']);
      await direct.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'memhall' AND datname = current_database()`,
      );
      await statements.query('SELECT 1');
    });
    await expect(hit).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await opened.read(scope, (statements) => statements.query(keys))).toEqual([]);
    await direct.end();
  });

  it('cancels a statement that runs too long', async () => {
    const hurried = await openDatabase({ ...database.config(), statementTimeoutMs: 200 }, silent);
    await expect(hurried.read(scope, (statements) => statements.query('SELECT pg_sleep(5)'))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await hurried.close();
  });

  it('serializes writers in two processes', async () => {
    const other = await openDatabase(database.config(), silent);
    const order: string[] = [];
    const slow = opened.write(scope, async (statements) => {
      await statements.query('SELECT 1');
      order.push('first begins');
      await sleep(150);
      order.push('first ends');
    });
    await sleep(50);
    const second = other.write(scope, async (statements) => {
      await statements.query('SELECT 1');
      order.push('second');
    });
    await Promise.all([slow, second]);
    expect(order).toEqual(['first begins', 'first ends', 'second']);
    await other.close();
  });
});
