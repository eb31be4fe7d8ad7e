import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/composition/open-database.js';
import { getMemory } from '../src/engine/memories/get-memory.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { remember } from '../src/engine/memories/remember.js';
import { updateMemory } from '../src/engine/memories/update-memory.js';
import { FakeEmbeddingsServer } from '../src/providers/embedders/test-support/fake-embeddings-server.js';
import type { Database } from '../src/store/database.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { keepLog } from './support/keep-log.js';
import { type Call, startTestServer, type TestServer } from './support/server.js';

const body = 'q7Lw2Zx9Vb4Nm8Kd3Hs6Tj1Rf5';
const password = 'correct-horse-9f2';
const key = `sk-${body}`;
const url = `postgres://app:${password}@db/app`;
const silent = pino({ level: 'silent' });

describeOneDatabase('redaction of episodic memory', (database) => {
  const remote = new FakeEmbeddingsServer();
  const { logger, log } = keepLog();
  let server: TestServer;
  let opened: Database;
  beforeAll(async () => {
    await remote.start();
    const embedding = {
      jobs: 'true',
      embedder: 'openai',
      embedderUrl: remote.baseUrl,
      embedderModel: 'fake',
      embedderDimension: '16',
    };
    server = await startTestServer(database(), embedding, logger);
    opened = await openDatabase(database().config(), silent, { shareRunning: true });
  });
  afterAll(async () => {
    await opened?.close();
    await server?.close();
    await remote.stop();
  });
  const call = (rest: Call) => server.call({ ...rest, path: `/v1/memory/${rest.path}` });
  const turn = (content: string, rest: object = {}) => ({ agent_id: 'guide', role: 'user', content, ...rest });

  /** Returns every row of every table as JSON. */
  async function everyRow(): Promise<string> {
    const tables = await opened.pool.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'memhall'`,
    );
    const rows = await Promise.all(
      tables.rows.map(({ name }) =>
        opened.pool.query<{ row: string }>(`SELECT to_json(t)::text AS row FROM ${name} t`),
      ),
    );
    return rows.flatMap((result) => result.rows.map(({ row }) => row)).join('\n');
  }

  it('keeps secrets out of responses, lists, search, tables, audit records, the embedder and the log', async () => {
    const sent = turn(`My key is ${key}, the database ${url}.`, {
      session_id: 's',
      metadata: { command: `curl -H "Authorization: Bearer ${body}"`, OPENAI_API_KEY: password, count: 3 },
    });
    const content = 'My key is [REDACTED:SK_TOKEN], the database [REDACTED:DB_URL_WITH_CREDENTIALS].';
    const metadata = {
      command: 'curl -H "Authorization: [REDACTED:BEARER_TOKEN]"',
      OPENAI_API_KEY: '[REDACTED:API_KEY]',
      count: 3,
    };
    const single = await call({ method: 'POST', path: 'episodic', body: sent });
    expect(single.status).toBe(201);
    expect(single.body).toMatchObject({ content, metadata, session_id: 's' });
    const many = await call({ method: 'POST', path: 'episodic', body: { entries: [sent, turn('nothing to hide')] } });
    expect(many.body.entries.map((entry: { content: string }) => entry.content)).toEqual([content, 'nothing to hide']);

    const recent = await call({ path: 'episodic/recent?agent_id=guide&limit=100' });
    const found = await call({ path: 'episodic/search?agent_id=guide&q=key%20database' });
    expect(found.body.entries).toHaveLength(2);
    while (!remote.requests.some(({ body: { input } }) => input.includes(content))) await sleep(20);

    const rows = await everyRow();
    expect(rows).toContain('[REDACTED:SK_TOKEN]');
    expect(rows).toContain(createHash('sha256').update(content).digest('hex'));
    expect(rows).not.toContain(createHash('sha256').update(sent.content).digest('hex'));
    const answers = JSON.stringify([single.body, many.body, recent.body, found.body]);
    for (const place of [answers, rows, JSON.stringify(remote.requests), log()]) {
      expect(place).not.toBe('');
      expect(place).not.toContain(body);
      expect(place).not.toContain(password);
    }
    const nothing = await call({ path: `episodic/search?agent_id=guide&q=${password}` });
    expect(JSON.stringify(nothing.body)).not.toContain(password);
  });

  it('counts redactions by label', async () => {
    const count = async () => {
      const { body: metrics } = await server.call({ path: '/metrics' });
      return Number(/^memhall_redactions_total\{label="TOKEN"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
    };
    const before = await count();
    await call({ method: 'POST', path: 'episodic', body: turn('MY_TOKEN=a and HIS_TOKEN=b') });
    expect((await count()) - before).toBe(2);
    const refused = await call({
      method: 'POST',
      path: 'episodic',
      body: { entries: [turn('MY_TOKEN=a'), turn(' ')] },
    });
    expect(refused.status).toBe(400);
    expect((await count()) - before).toBe(2);
  });

  it('does not redact knowledge, procedures or state', async () => {
    const content = `Rotate ${key} monthly.`;
    const semantic = await call({ method: 'POST', path: 'semantic', body: { content } });
    expect(semantic.body.content).toBe(content);
    const skill = { agent_id: 'guide', procedure_type: 'skill', content };
    expect((await call({ method: 'POST', path: 'procedural', body: skill })).body.content).toBe(content);
    const value = { value: { note: content } };
    expect((await call({ method: 'PUT', path: 'working/p/k', body: value })).body.value).toEqual(value.value);
  });
});

describeOneDatabase('redaction in the engine', (database) => {
  const running = useEngine(database, { embedder: 'local' });
  const engine = () => running().engine;
  const own = { own: true };

  describe('an update', () => {
    it('redacts content and metadata of an episodic memory', async () => {
      const me = callerOf('updates-episodic');
      const { memory } = await remember(engine(), me, { content: 'before', kind: 'episodic' });
      const change = { content: `walrus ${key}`, metadata: { note: `MY_SECRET=${password}` } };
      const updated = await updateMemory(engine(), me, memory.id, change);
      expect(updated).toMatchObject({
        content: 'walrus [REDACTED:SK_TOKEN]',
        metadata: { note: '[REDACTED:SECRET]' },
        contentHash: createHash('sha256').update('walrus [REDACTED:SK_TOKEN]').digest('hex'),
      });
      expect(await getMemory(engine(), me, memory.id)).toEqual(updated);
      const [best] = await recall(engine(), me, { text: 'walrus', scope: own, limit: 1 });
      expect(best?.memory.id).toBe(memory.id);
      expect(await recall(engine(), me, { text: body, scope: own, limit: 1, arms: 'lexical' })).toEqual([]);
    });

    it('does not redact other kinds', async () => {
      const me = callerOf('updates-fact');
      const { memory } = await remember(engine(), me, { content: 'before', kind: 'fact' });
      expect(await updateMemory(engine(), me, memory.id, { content: `walrus ${key}` })).toMatchObject({
        content: `walrus ${key}`,
      });
    });
  });

  it('discards the given embedding of a text with a secret', async () => {
    const me = callerOf('vectors');
    const embedding = Array.from({ length: 384 }, (_, index) => (index === 0 ? 1 : 0));
    const keep = await remember(engine(), me, { content: 'plain', kind: 'episodic', embedding });
    const drop = await remember(engine(), me, { content: `secret ${key}`, kind: 'episodic', embedding });
    const found = await recall(engine(), me, { embedding, scope: own, limit: 5 });
    expect(found.map(({ memory }) => memory.id)).toContain(keep.memory.id);
    expect(found.map(({ memory }) => memory.id)).not.toContain(drop.memory.id);
  });

  it('finds a secret that appears only after normalisation', async () => {
    // Normalisation turns the Kelvin sign into a K.
    const { memory } = await remember(engine(), callerOf('normal'), {
      content: `A\u212aIA${'QWERTYUIOP123456'}`,
      kind: 'episodic',
    });
    expect(memory.content).toBe('[REDACTED:AWS_ACCESS_KEY_ID]');
  });
});
