import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startEngine } from '../src/composition/start-engine.js';
import { readConfig } from '../src/config/read-config.js';
import { checkHistory } from './cluster/history/check-history.js';
import { HistoryFile } from './cluster/history/history-file.js';
import { createOwners } from './cluster/load/create-owners.js';
import { Load } from './cluster/load/load.js';
import type { TestDatabase } from './support/databases.js';
import { type PostgresCluster, startPostgresCluster } from './support/postgres-cluster.js';
import { startTestServer, type TestServer } from './support/server.js';
import { type Standby, startStandby } from './support/standby.js';

const jwtSecret = 'a secret that all nodes of this test have in common';

describe.runIf(inject('postgresUrl') !== null)('two nodes that read from a standby', () => {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-replica-'));
  let primary: PostgresCluster;
  let standby: Standby;
  let behind: Pool;
  let nodes: TestServer[];
  beforeAll(async () => {
    primary = (await startPostgresCluster()) as PostgresCluster;
    standby = await startStandby(primary.url);
    behind = new Pool({ connectionString: standby.url, max: 2 });
    behind.on('error', () => undefined);
    nodes = await Promise.all([startNode(), startNode()]);
  }, 120_000);
  afterAll(async () => {
    await Promise.all((nodes ?? []).map((node) => node.close()));
    await behind?.end();
    await standby?.stop();
    await primary?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const configOf = (extra: Record<string, string>) =>
    readConfig(
      {
        ...{ dataDirectory: directory, databaseUrl: primary.url, readDatabaseUrl: standby.url, embedder: 'none' },
        ...{
          logLevel: 'silent',
          port: '0',
          pluginPort: 'off',
          jobs: 'false',
          stallMs: '0',
          shedDelayMs: '0',
          jwtSecret,
        },
        ...extra,
      },
      {},
    );
  const startNode = () => startTestServer({ config: (extra = {}) => configOf(extra) } as TestDatabase);
  const node = (index: number): TestServer => nodes[index % nodes.length] as TestServer;
  const remember = async (index: number, content: string, id: string) => {
    const body = { content, external_id: id };
    const answer = await node(index).call({ method: 'POST', path: '/v1/remember', body });
    expect(answer.status).toBeLessThan(300);
    return answer.body.memory.id as string;
  };
  const forget = async (index: number, id: string) =>
    expect((await node(index).call({ method: 'DELETE', path: `/v1/memories/${id}` })).status).toBe(204);
  const recall = async (index: number, query: string): Promise<string[]> => {
    const { body } = await node(index).call({ method: 'POST', path: '/v1/recall', body: { query } });
    return body.results.map(({ text }: { text: string }) => text);
  };
  /** How many transactions the standby has run. Sessions report their work within a second, or when they are asked. */
  const readsOfStandby = async (): Promise<number> => {
    await sleep(1100);
    const { rows } = await behind.query<{ count: string }>(
      `SELECT sum(xact_commit) AS count FROM pg_stat_database WHERE datname = 'postgres'`,
    );
    return Number(rows[0]?.count);
  };

  it('see what was written and forgotten on the other one at once', async () => {
    const before = await readsOfStandby();
    for (let round = 0; round < 10; round++) {
      const content = `I take my tea in cup ${round}.`;
      const id = await remember(round, content, 'tea');
      expect(await recall(round + 1, 'tea')).toEqual([content]);
      if (round % 3 === 2) {
        await forget(round, id);
        expect(await recall(round + 1, 'tea')).toEqual([]);
      }
    }
    expect(await readsOfStandby()).toBeGreaterThan(before + 20);
  });

  it('read from the primary what the standby does not have in time', async () => {
    const id = await remember(0, 'The boat is red.', 'boat');
    const boats = async () =>
      (await behind.query('SELECT content FROM memhall.memories WHERE external_id = $1', ['boat'])).rows;
    await expect.poll(boats).toEqual([{ content: 'The boat is red.' }]);
    await behind.query('SELECT pg_wal_replay_pause()');
    await remember(0, 'The boat is green.', 'boat');
    expect(await recall(1, 'boat')).toEqual(['The boat is green.']);
    await forget(0, id);
    expect(await recall(1, 'boat')).toEqual([]);
    expect((await node(1).call({ path: `/v1/memories/${id}` })).status).toBe(404);
    expect(await boats()).toEqual([{ content: 'The boat is red.' }]);
    await behind.query('SELECT pg_wal_replay_resume()');
  });

  it('leave no trace of it in a history, while the standby is behind again and again', async () => {
    const history = new HistoryFile(join(directory, 'history.jsonl'));
    const urls = nodes.map(({ url }) => url);
    const load = new Load(await createOwners(urls[0] ?? '', jwtSecret, 't'), urls, history);
    await load.start();
    for (let count = 0; count < 4; count++) {
      await sleep(500);
      await behind.query('SELECT pg_wal_replay_pause()');
      await sleep(300);
      await behind.query('SELECT pg_wal_replay_resume()');
    }
    await load.stop();
    await load.readFinalStates();
    expect(load.unexpected).toEqual([]);
    expect(checkHistory(history.read())).toEqual([]);
  });

  it('do without a standby that is gone, that is none, or that is a copy of something else', async () => {
    const other = (await startPostgresCluster()) as PostgresCluster;
    const scope = { tenantId: 't1', userId: 'u1', operation: 'memory.recall' };
    for (const readDatabaseUrl of [primary.url, other.url, 'postgres://postgres@127.0.0.1:9/postgres']) {
      const {
        engine,
        standby: reading,
        close,
      } = await startEngine(configOf({ readDatabaseUrl }), pino({ level: 'silent' }));
      await engine.store.read(scope, (tables) => tables.userSettings.get());
      expect(reading?.reads).toEqual({ standby: 0, primary: 1 });
      await close();
    }
    await other.stop();
  });

  it('read from the standby only what is shown', async () => {
    const { engine, standby: reading, close } = await startEngine(configOf({}), pino({ level: 'silent' }));
    const read = (operation: string) =>
      engine.store.read({ tenantId: 't1', userId: 'u1', operation }, (tables) => tables.userSettings.get());
    for (const operation of ['working.get', 'memory.update', 'tasks.get', 'documents.patch']) await read(operation);
    expect(reading?.reads).toEqual({ standby: 0, primary: 0 });
    await read('memory.recall');
    expect(reading?.reads).toEqual({ standby: 1, primary: 0 });
    await close();
    const needed = { dataDirectory: directory, embedder: 'none', readDatabaseUrl: standby.url };
    await expect(startEngine(readConfig(needed, {}), pino({ level: 'silent' }))).rejects.toThrow('needs DATABASE_URL');
  });

  it('go on when the standby becomes a primary of its own', async () => {
    await behind.query('SELECT pg_promote()');
    await remember(0, 'The house is blue.', 'house');
    expect(await recall(1, 'house')).toEqual(['The house is blue.']);
    const { rows } = await behind.query('SELECT content FROM memhall.memories WHERE external_id = $1', ['house']);
    expect(rows).toEqual([]);
  });
});
