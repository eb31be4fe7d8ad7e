import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formBacklog, refreshForms } from '../src/engine/memories/refresh-forms.js';
import { toMember } from '../src/engine/one-memory/member.js';
import { noClaims } from '../src/engine/one-memory/namespace-grants.js';
import { recallEverywhere, recallSessionsEverywhere } from '../src/engine/one-memory/recall-everywhere.js';
import { rememberAny } from '../src/engine/one-memory/remember-any.js';
import { StartingEmbedder } from '../src/providers/embedders/starting-embedder.js';
import { unknownOperator, writeTinyModel } from '../src/providers/embedders/test-support/tiny-model.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { startTestServer, type TestServer } from './support/server.js';

describeOneDatabase('while the model is being loaded', (database) => {
  const running = useEngine(database, { embedder: 'local' });

  it('recalls by words, says so, and gives what was stored its vector later', async () => {
    const { engine } = running();
    const local = engine.embedder;
    if (local === null) throw new Error('there is no embedder');
    let open = () => {};
    const loaded = new Promise<void>((done) => {
      open = done;
    });
    const { model, dimension, distinguishesPurpose } = local;
    const expected = { kind: 'minilm', model, dimension, distinguishesPurpose };
    const onFault = () => undefined;
    engine.embedder = new StartingEmbedder({ expected, start: () => loaded.then(() => local), onFault });
    const me = toMember(callerOf('early', 'early'), noClaims);
    await rememberAny(engine, me, [{ content: 'a boat on the sea', kind: 'fact', sessionId: 's1' }]);
    expect((await formBacklog(engine, 'early')).count).toBe(1);
    const query = { limit: 5, explain: true };
    expect(await recallEverywhere(engine, me, { ...query, text: 'boat' })).toMatchObject({
      isIncomplete: true,
      results: [{ memory: { content: 'a boat on the sea' }, explanation: { cosine: null } }],
    });
    expect(await recallSessionsEverywhere(engine, me, { ...query, text: 'boat' })).toMatchObject({
      isIncomplete: true,
      sessions: [{ sessionId: 's1' }],
    });
    expect(await recallEverywhere(engine, me, { ...query, text: 'boat', arms: 'lexical' })).toMatchObject({
      isIncomplete: false,
    });
    const catchingUp = refreshForms(engine, 'early');
    open();
    expect(await catchingUp).toBe(1);
    const found = await recallEverywhere(engine, me, { ...query, text: 'sailing ship' });
    expect(await recallSessionsEverywhere(engine, me, { ...query, text: 'boat' })).toMatchObject({
      isIncomplete: false,
    });
    expect(found).toMatchObject({ isIncomplete: false, results: [{ explanation: { cosine: expect.any(Number) } }] });
  });
});

describeOneDatabase('a server whose model cannot be loaded', (database) => {
  let directory: string;
  let server: TestServer;
  beforeAll(async () => {
    directory = await writeTinyModel({ 'model.onnx': unknownOperator() });
    server = await startTestServer(database(), { embedder: `onnx:${directory}`, embedderStart: 'background' });
  });
  afterAll(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });

  it('serves by words, and says why in /ready and /health', async () => {
    const body = { content: 'I take my tea without milk.' };
    expect((await server.call({ method: 'POST', path: '/v1/remember', body })).status).toBe(201);
    await expect
      .poll(async () => (await server.call({ path: '/ready' })).body, { timeout: 10_000 })
      .toEqual({
        ready: true,
        embedder: 'failed',
      });
    expect((await server.call({ path: '/health' })).body).toMatchObject({ status: 'degraded' });
    const token = await server.token({ roles: ['operator'] });
    const health = (await server.call({ path: '/health', token })).body;
    expect(health.embedder).toMatchObject({ status: 'failed', dimension: 3, note: expect.stringContaining('NoSuch') });
    expect(health.capabilities).not.toContain('embedding');
    for (const more of [{}, { group_by: 'session' }]) {
      const query = { query: 'tea', ...more };
      const found = await server.call({ method: 'POST', path: '/v1/recall', body: query });
      expect(found.body).toMatchObject({ incomplete: true });
    }
  });

  it('does not start if it was told to wait for the model', async () => {
    const settings = { embedder: `onnx:${directory}`, embedderStart: 'wait' };
    await expect(startTestServer(database(), settings)).rejects.toThrow('The embedder cannot be used');
  });
});
