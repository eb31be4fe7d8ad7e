import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { readCatalog } from './citus/read-catalog.js';
import { StatementRecorder } from './citus/recorder.js';

/** Long runs check the statements of every test file. Without PostgreSQL there is no catalog to check them with. */
const url = inject('postgresUrl');
let recorder: StatementRecorder | undefined;

beforeAll(async () => {
  if (url === null) return;
  const client = new Client({ connectionString: url.replace(/\/postgres$/, '/memhall_template') });
  await client.connect();
  recorder = new StatementRecorder(await readCatalog(client), {
    isDistributed: process.env.MEMHALL_TEST_CITUS !== undefined,
  });
  await client.end();
  recorder.start();
});

afterAll(() => {
  expect(recorder?.stop() ?? []).toEqual([]);
});
