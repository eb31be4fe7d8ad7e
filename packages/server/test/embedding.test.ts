import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startEngine } from '../src/composition/start-engine.js';
import { maintain } from '../src/engine/audit/maintain.js';
import { scopeOf } from '../src/engine/caller.js';
import type { Engine } from '../src/engine/engine.js';
import { toTextForm } from '../src/engine/memories/analysis/to-search-form.js';
import { customKind } from '../src/engine/memories/kinds.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { formBacklog, refreshForms } from '../src/engine/memories/refresh-forms.js';
import { remember, rememberMany } from '../src/engine/memories/remember.js';
import { setLanguage } from '../src/engine/memories/set-language.js';
import { FakeEmbeddingsServer } from '../src/providers/embedders/test-support/fake-embeddings-server.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';

const silent = pino({ level: 'silent' });
const own = { own: true };

describeOneDatabase('embedding', (database) => {
  const remote = new FakeEmbeddingsServer();
  beforeAll(() => remote.start());
  afterAll(() => remote.stop());
  beforeEach(() => remote.reset());

  const remoteSettings = () => ({
    embedder: 'openai',
    embedderUrl: remote.baseUrl,
    embedderModel: 'fake',
    embedderDimension: '16',
  });

  async function withEngine<T>(settings: Record<string, string>, use: (engine: Engine) => Promise<T>): Promise<T> {
    const running = await startEngine(database().config({ jobs: 'true', ...settings }), silent);
    try {
      return await use(running.engine);
    } finally {
      await running.close();
    }
  }

  async function settled(engine: Engine, tenantId: string): Promise<void> {
    const deadline = Date.now() + 20_000;
    while ((await formBacklog(engine, tenantId)).count > 0) {
      if (Date.now() > deadline) throw new Error('the backlog does not shrink');
      await sleep(20);
    }
  }

  it('never delays a write for a remote embedder: words are searchable at once and the vector follows', async () => {
    await withEngine(remoteSettings(), async (engine) => {
      const me = callerOf('waits', 'remote');
      let open = () => {};
      const gate = new Promise<void>((done) => {
        open = done;
      });
      remote.interceptNext(async () => {
        await gate;
        return false;
      });
      await remember(engine, me, { content: 'the slow embedder', kind: 'fact' });
      expect(await formBacklog(engine, 'remote')).toMatchObject({ count: 1, oldest: expect.any(Date) });
      const found = await recall(engine, me, {
        text: 'embedder',
        scope: own,
        limit: 5,
        arms: 'lexical',
        explain: true,
      });
      expect(found).toHaveLength(1);
      open();
      await settled(engine, 'remote');
      const [embedded] = await recall(engine, me, { text: 'the slow embedder', scope: own, limit: 5, explain: true });
      expect(embedded?.explanation?.cosine).toBeCloseTo(1, 2);
    });
  });

  it('falls back to words while the endpoint is down and catches up afterwards', async () => {
    await withEngine(remoteSettings(), async (engine) => {
      const me = callerOf('down', 'outage');
      const refuse = Array.from(
        { length: 40 },
        () => (_: unknown, response: { writeHead(status: number): { end(): void } }) => {
          response.writeHead(400).end();
          return true;
        },
      );
      remote.interceptNext(...(refuse as never[]));
      await remember(engine, me, { content: 'stored during the outage', kind: 'fact' });
      expect(await recall(engine, me, { text: 'outage', scope: own, limit: 5 })).toHaveLength(1);
      remote.reset();
      await refreshForms(engine, 'outage');
      expect(await formBacklog(engine, 'outage')).toEqual({ count: 0, oldest: null });
    });
  });

  it('falls back to words if the endpoint is too slow for a query', async () => {
    await withEngine({ ...remoteSettings(), embedderQueryTimeoutMs: '50' }, async (engine) => {
      const me = callerOf('patient', 'patient');
      await remember(engine, me, { content: 'words are enough', kind: 'fact' });
      await settled(engine, 'patient');
      remote.interceptNext(() => true);
      const [found] = await recall(engine, me, { text: 'enough', scope: own, limit: 5, explain: true });
      expect(found).toMatchObject({ memory: { content: 'words are enough' }, explanation: { cosine: null } });
    });
  });

  it('embeds the other texts if the endpoint rejects one', async () => {
    const refusing = (status: number) => (request: { body: { input: string[] } }, response: ServerResponse) => {
      if (!request.body.input.some((text) => text.includes('poison'))) return false;
      response.writeHead(status).end();
      return true;
    };
    await withEngine({ ...remoteSettings(), jobs: 'false' }, async (engine) => {
      const me = callerOf('poisoned', 'poisoned');
      const texts = Array.from({ length: 70 }, (_, index) => (index === 20 ? 'poison' : `harmless ${index}`));
      await rememberMany(
        engine,
        me,
        texts.map((content) => ({ content, kind: 'fact' as const })),
      );
      remote.interceptNext(...Array.from({ length: 60 }, () => refusing(400)));
      expect(await refreshForms(engine, 'poisoned')).toBe(69);
      expect((await formBacklog(engine, 'poisoned')).count).toBe(1);
      expect(await recall(engine, me, { text: 'poison', scope: own, limit: 1 })).toHaveLength(1);
      remote.reset();
      expect(await refreshForms(engine, 'poisoned')).toBe(1);
      remote.interceptNext(...Array.from({ length: 8 }, () => refusing(401)));
      await remember(engine, me, { content: 'more poison', kind: 'fact' });
      await expect(refreshForms(engine, 'poisoned')).rejects.toMatchObject({ code: 'rejected' });
      remote.reset();
      expect(await refreshForms(engine, 'poisoned')).toBe(1);
    });
  });

  it('embeds large batches in the background, each text once', async () => {
    await withEngine(remoteSettings(), async (engine) => {
      const me = callerOf('batch', 'batch');
      remote.reset();
      const texts = Array.from({ length: 300 }, (_, index) => ({
        content: `number ${index % 150}`,
        kind: customKind('turn'),
      }));
      await rememberMany(engine, me, texts);
      await settled(engine, 'batch');
      const sent = remote.requests.flatMap(({ body }) => body.input);
      expect(sent).toHaveLength(150);
      expect(new Set(sent).size).toBe(150);
    });
  });

  it('embeds again after the embedder changes, while recall keeps working', async () => {
    const me = callerOf('changes', 'change');
    await withEngine(remoteSettings(), async (engine) => {
      await rememberMany(engine, me, [
        { content: 'a boat on the sea', kind: 'fact' },
        { content: 'tax forms', kind: 'fact' },
      ]);
      await settled(engine, 'change');
    });
    await withEngine({ embedder: 'local' }, async (engine) => {
      expect((await formBacklog(engine, 'change')).count).toBe(2);
      expect(await recall(engine, me, { text: 'boats', scope: own, limit: 5 })).toHaveLength(1);
      expect(await refreshForms(engine, 'change')).toBe(2);
      const [first] = await recall(engine, me, { text: 'sailing ship', scope: own, limit: 5 });
      expect(first?.memory.content).toBe('a boat on the sea');
    });
    await withEngine({ embedder: 'none' }, async (engine) => {
      expect((await formBacklog(engine, 'change')).count).toBe(0);
      expect(await recall(engine, me, { text: 'sailing ship', scope: own, limit: 5 })).toEqual([]);
      expect(await recall(engine, me, { text: 'boat', scope: own, limit: 5 })).toHaveLength(1);
    });
  });

  it('embeds again if the endpoint returns vectors of another length under the same model name', async () => {
    const me = callerOf('renamed', 'renamed');
    const texts = ['a boat on the sea', 'tax forms', 'a bicycle'];
    const memories = texts.map((content) => ({ content, kind: 'fact' as const }));
    await withEngine(remoteSettings(), async (engine) => {
      await rememberMany(engine, me, memories);
      await settled(engine, 'renamed');
    });
    remote.dimension = 24;
    try {
      await withEngine({ ...remoteSettings(), embedderDimension: '0', jobs: 'false' }, async (engine) => {
        const boats = { text: 'boats', scope: own, limit: 5, explain: true };
        expect(await recall(engine, me, boats)).toMatchObject([
          { memory: { content: texts[0] }, explanation: { cosine: null } },
        ]);
        expect((await formBacklog(engine, 'renamed')).count).toBe(3);
        expect(await refreshForms(engine, 'renamed')).toBe(3);
        for (const text of texts) {
          const [best] = await recall(engine, me, { ...boats, text });
          expect(best).toMatchObject({ memory: { content: text } });
          expect(best?.explanation?.cosine).toBeCloseTo(1, 2);
        }
      });
    } finally {
      remote.dimension = 16;
    }
  });

  it('analyses texts again after the tenant’s language changes', async () => {
    await withEngine({ embedder: 'none' }, async (engine) => {
      const me = callerOf('speaker', 'polyglot');
      await remember(engine, me, { content: 'Die Häuser am See', kind: 'fact' });
      expect(await recall(engine, me, { text: 'Haus', scope: own, limit: 5 })).toEqual([]);
      await setLanguage(engine, 'polyglot', 'german');
      engine.tenants.forget('polyglot');
      expect(await refreshForms(engine, 'polyglot')).toBe(1);
      expect(await recall(engine, me, { text: 'Haus', scope: own, limit: 5 })).toHaveLength(1);
      await expect(setLanguage(engine, 'polyglot', 'klingon')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    });
  });

  it('requests no new vectors if only the words are analysed again', async () => {
    await withEngine(remoteSettings(), async (engine) => {
      const me = callerOf('thrifty', 'thrifty');
      await remember(engine, me, { content: 'Die Häuser am See', kind: 'fact' });
      await settled(engine, 'thrifty');
      engine.embedder?.forgetTexts?.();
      remote.reset();
      await setLanguage(engine, 'thrifty', 'german');
      engine.tenants.forget('thrifty');
      await refreshForms(engine, 'thrifty');
      await settled(engine, 'thrifty');
      expect(remote.requests).toEqual([]);
      const [found] = await recall(engine, me, { text: 'Haus', scope: own, limit: 5, explain: true });
      expect(found?.explanation).toMatchObject({ lexical: expect.any(Number), cosine: expect.any(Number) });
    });
    await withEngine({ embedder: 'none' }, async (engine) => {
      await setLanguage(engine, 'thrifty', 'english');
      engine.tenants.forget('thrifty');
      await refreshForms(engine, 'thrifty');
    });
    await withEngine(remoteSettings(), async (engine) => {
      expect((await formBacklog(engine, 'thrifty')).count).toBe(0);
    });
  });

  it('gives long texts a vector of their beginning, once, that had the mean of their pieces', async () => {
    await withEngine({ ...remoteSettings(), jobs: 'false' }, async (engine) => {
      const me = callerOf('long', 'means');
      const contents = ['a short text', `a long text ${'with many words '.repeat(200)}`];
      const stored = await rememberMany(
        engine,
        me,
        contents.map((content) => ({ content, kind: 'fact' as const })),
      );
      await refreshForms(engine, 'means');
      const embedding = { model: engine.embedder?.model ?? '', vector: new Float32Array(16).fill(0.25) };
      await maintain(engine, scopeOf(me), async (tables) => {
        for (const { memory } of stored) {
          const form = { ...toTextForm(memory, 'english'), embedding, analysis: 'english-2' };
          tables.memories.setForm(memory.id, memory.contentHash, form, new Date());
        }
      });
      engine.embedder?.forgetTexts?.();
      remote.reset();
      expect(await refreshForms(engine, 'means')).toBe(2);
      const sent = remote.requests.flatMap(({ body }) => body.input);
      expect(sent).toEqual([contents[1]?.slice(0, 2000)]);
      expect(await refreshForms(engine, 'means')).toBe(0);
    });
  });

  it('fails at startup if the dimension differs from the configured one', async () => {
    const wrong = startEngine(database().config({ ...remoteSettings(), embedderDimension: '17' }), silent);
    await expect(wrong).rejects.toThrow(/17.*16|16.*17/);
  });

  it('starts while the endpoint is down if the dimension is configured', async () => {
    const settings = { ...remoteSettings(), embedderUrl: 'http://127.0.0.1:1/v1' };
    await withEngine(settings, async (engine) => {
      const me = callerOf('early', 'early');
      await remember(engine, me, { content: 'kept all the same', kind: 'fact' });
      expect(await recall(engine, me, { text: 'kept', scope: own, limit: 5, arms: 'lexical' })).toHaveLength(1);
    });
    const unknown = startEngine(database().config({ ...settings, embedderDimension: '0' }), silent);
    await expect(unknown).rejects.toThrow(/The embedder cannot be used/);
  });
});
