import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { checkHistory } from './cluster/history/check-history.js';
import { HistoryFile } from './cluster/history/history-file.js';
import { createOwners } from './cluster/load/create-owners.js';
import { Load } from './cluster/load/load.js';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { startTestServer, type TestServer } from './support/server.js';

const secret = 'a secret that all nodes of this test have in common';

describe.runIf(inject('postgresUrl') !== null)('two nodes under a mixed load of all surfaces', () => {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-load-'));
  let database: TestDatabase;
  let nodes: TestServer[];
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    nodes = await Promise.all([1, 2].map(() => startTestServer(database, { jwtSecret: secret })));
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await database.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  it('answer as one', async () => {
    const urls = nodes.map(({ url }) => url);
    const history = new HistoryFile(join(directory, 'history.jsonl'));
    const load = new Load(await createOwners(urls[0] ?? '', secret, 't'), urls, history);
    await load.start();
    await sleep(3000);
    await load.stop();
    await load.readFinalStates();
    const operations = history.read();
    expect(load.unexpected).toEqual([]);
    expect(checkHistory(operations)).toEqual([]);
    expect(operations.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
    expect(new Set(operations.map(({ model }) => model))).toEqual(new Set(['register', 'set', 'list']));
    expect(operations.length).toBeGreaterThan(100);
  });
});
