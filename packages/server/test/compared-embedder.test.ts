import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeTinyModel } from '../src/providers/embedders/test-support/tiny-model.js';
import { flagsOf, runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { useServer } from './support/server.js';

let own: string;
let other: string;
beforeAll(async () => {
  own = await writeTinyModel();
  // It reads every query as one about milk most of all.
  other = await writeTinyModel({ 'config_sentence_transformers.json': { prompts: { query: 'milk milk ' } } });
});
afterAll(async () => {
  await rm(own, { recursive: true });
  await rm(other, { recursive: true });
});

const settings = () => ({ embedder: `onnx:${own}`, comparedEmbedder: `onnx:${other}` });

describeOneDatabase('an embedder to compare with', (database) => {
  const server = useServer(database, settings);
  beforeAll(async () => {
    for (const content of ['tea', 'milk'])
      await server().call({ method: 'POST', path: '/v1/remember', body: { content } });
  });

  const ask = (body: object) => server().call({ method: 'POST', path: '/v1/recall', body: { query: 'tea', ...body } });
  const order = async (body: object) => (await ask(body)).body.results.map(({ text }: { text: string }) => text);

  it('ranks by its own meaning on request, and only then', async () => {
    expect(await order({ match: 'meaning' })).toEqual(['tea', 'milk']);
    expect(await order({ match: 'meaning', embedder: 'compared' })).toEqual(['milk', 'tea']);
    expect(await order({ match: 'meaning' })).toEqual(['tea', 'milk']);
  });

  it('explains the cosines that it ranked by', async () => {
    const cosines = async (embedder: string) => {
      const { results } = (await ask({ embedder, explain: true })).body;
      return Object.fromEntries(
        results.map(({ text, explain }: { text: string; explain: { cosine: number } }) => [text, explain.cosine]),
      );
    };
    const near = (number: number) => expect.closeTo(number, 3);
    expect(await cosines('own')).toEqual({ tea: near(1), milk: near(4 / 5) });
    expect(await cosines('compared')).toEqual({ tea: near(5 / 45 ** 0.5), milk: near(6 / 45 ** 0.5) });
  });

  it('compares the sentences of a message, too', async () => {
    const query =
      'Tea it is for one and two and three and four people who wait outside of our garden gate. Tea at noon.';
    const { status, body } = await ask({ query, embedder: 'compared', explain: true });
    expect(status).toBe(200);
    expect(body.results.map(({ explain }: { explain: { cosine: number } }) => explain.cosine)).toEqual([
      expect.any(Number),
      expect.any(Number),
    ]);
  });

  it('plays no part if words alone are compared', async () => {
    const byWords = { match: 'words', explain: true };
    expect((await ask({ ...byWords, embedder: 'compared' })).body).toEqual((await ask(byWords)).body);
  });

  it('leaves other users out, and their number', async () => {
    const token = await server().token({ user: 'somebody-else' });
    const call = { method: 'POST', path: '/v1/recall', body: { query: 'tea', embedder: 'compared' }, token };
    expect((await server().call(call)).body).toEqual({ results: [] });
  });

  it('is not for sessions', async () => {
    expect(await ask({ group_by: 'session', embedder: 'compared' })).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_REQUEST', message: expect.stringContaining('leave out `group_by: session`') } },
    });
  });
});

describeOneDatabase('without an embedder to compare with', (database) => {
  const server = useServer(database);

  it('a recall that asks for one says how to set one', async () => {
    const call = { method: 'POST', path: '/v1/recall', body: { query: 'tea', embedder: 'compared' } };
    expect(await server().call(call)).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_REQUEST', message: expect.stringContaining('MEMHALL_COMPARED_EMBEDDER') } },
    });
  });

  it('memhall doctor tries the one that is set', async () => {
    const flags = ['--port', '0', '--plugin-port', 'off', ...flagsOf(database())];
    const good = await runCommand(['doctor', ...flags], { MEMHALL_COMPARED_EMBEDDER: `onnx:${other}` });
    expect(good.stdout).toMatch(/^ok {4}embedder to compare with: .*3 dimensions/m);
    const bad = await runCommand(['doctor', ...flags], { MEMHALL_COMPARED_EMBEDDER: 'onnx:/no/such/model' });
    expect(bad).toMatchObject({ code: 1, stdout: expect.stringContaining('There is no model directory') });
  });
});
