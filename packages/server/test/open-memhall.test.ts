import { expect, it } from 'vitest';
import { type Memhall, openMemhall } from '../src/open-memhall.js';
import { collectAll } from './support/collect-all.js';
import { describeEachDatabase } from './support/databases.js';

describeEachDatabase('openMemhall', (database) => {
  async function withMemhall<T>(use: (memhall: Memhall) => Promise<T>): Promise<T> {
    const memhall = await openMemhall({ ...database().flags, environment: { MEMHALL_LOG_LEVEL: 'silent' } });
    try {
      return await use(memhall);
    } finally {
      await memhall.close();
    }
  }

  it('remembers, recalls, updates and forgets across restarts', async () => {
    const tea = await withMemhall(async (memhall) => {
      const memory = memhall.as({ user: 'me' });
      const { memory: stored, outcome } = await memory.remember('I take my tea without milk.');
      expect(outcome).toBe('created');
      expect((await memory.remember('I take my tea without milk.')).outcome).toBe('updated');
      const [best] = await memory.recall('What do I drink?', { explain: true });
      expect(best).toMatchObject({ memory: { id: stored.id }, explanation: { cosine: expect.any(Number) } });
      expect(await memhall.as({ user: 'me2' }).recall('tea')).toEqual([]);
      const home = { subject: 'me', attribute: 'lives in' };
      const { fact } = await memory.facts.put({ ...home, value: 'Bergen', validFrom: new Date('2015-01-01') });
      await memory.facts.put({ ...home, value: 'Oslo', evidence: [stored.id] });
      expect(await memory.facts.get(fact.id)).toMatchObject({ status: 'superseded', supersedes: [] });
      return stored;
    });
    await withMemhall(async (memhall) => {
      const memory = memhall.as({ user: 'me' });
      await memory.update(tea.id, { content: 'I drink coffee now.' });
      expect((await memory.list()).items.map(({ content }) => content)).toEqual(['I drink coffee now.']);
      expect(await memory.get(tea.id)).toMatchObject({ content: 'I drink coffee now.' });
      expect(await memory.forget(tea.id)).toBe(1);
      const { items } = await memory.facts.list();
      expect(items).toMatchObject([{ fact: { value: 'Bergen' }, status: 'current' }]);
      expect(await memory.recall('coffee')).toEqual([]);
      expect(await memhall.pendingEmbeddings()).toBe(0);
    });
  });

  it('stores notes by default: without secrets, and the same text once unless another external id is given', async () => {
    await withMemhall(async (memhall) => {
      const memory = memhall.as({ user: 'notes', service: 'app' });
      const { memory: note } = await memory.remember({
        content: 'My token is ghp_aB3dE5gH7jaB3dE5gH7jaB3dE5gH7jaB3dE5.',
      });
      expect(note).toMatchObject({ kind: 'note', surface: 'library', author: 'notes', trust: 'user' });
      expect(note.content).toContain('[REDACTED');
      const ids = async (...inputs: Parameters<typeof memory.remember>[0][]) =>
        (await memory.rememberMany(inputs)).map(({ memory: { id } }) => id);
      const [plain, again, ...keyed] = await ids(
        'Tea.',
        { content: 'Tea.' },
        { content: 'Milk.', externalId: 'a' },
        { content: 'Milk.', externalId: 'b' },
        { content: 'Water.', externalId: 'a' },
      );
      expect(again).toBe(plain);
      expect(new Set(keyed).size).toBe(2);
      const [one, other] = await ids({ content: 'Oil.', kind: 'diary' }, { content: 'Oil.', kind: 'diary' });
      expect(one).not.toBe(other);
      const { memory: quoted } = await memory.remember({ content: 'He said so.', role: 'assistant', trust: 'user' });
      expect(quoted.trust).toBe('agent');
    });
  });

  it('stores nothing off the record, for a user or a session', async () => {
    await withMemhall(async (memhall) => {
      const discreet = memhall.as({ user: 'otto', offTheRecord: true });
      expect(await discreet.remember('Nobody knows.')).toMatchObject({ outcome: 'unstored' });
      expect(await discreet.facts.put({ subject: 'me', attribute: 'job', value: 'spy' })).toMatchObject({
        isNew: false,
      });
      const memory = memhall.as({ user: 'otto' });
      await memory.goOffTheRecord('s1');
      const [first, second] = await memory.rememberMany([{ content: 'Secret.', sessionId: 's1' }, 'Known.']);
      expect([first?.outcome, second?.outcome]).toEqual(['unstored', 'created']);
      expect((await memory.offTheRecord()).items).toMatchObject([{ sessionId: 's1', until: null }]);
      await memory.goOnTheRecord('s1');
      expect((await memory.offTheRecord()).items).toEqual([]);
      expect((await memory.list()).items.map(({ content }) => content)).toEqual(['Known.']);
      expect((await memory.facts.list()).items).toEqual([]);
      const records = (await collectAll(memory.export())).join('').trimEnd().split('\n');
      expect(records.map((line) => JSON.parse(line))).toMatchObject([
        { type: 'export', user_id: 'otto' },
        { type: 'memory', content: 'Known.' },
        { type: 'end' },
      ]);
    });
  });

  it('recalls by embedding alone', async () => {
    await withMemhall(async (memhall) => {
      const memory = memhall.as({ user: 'vectors' });
      const embedding = Array.from({ length: 384 }, (_, index) => (index === 7 ? 1 : 0));
      await memory.remember({ content: 'seven', embedding });
      await memory.remember({ content: 'eight', embedding: embedding.toSpliced(0, 1).concat(0) });
      expect((await memory.recall(undefined, { embedding })).map((one) => one.memory.content)).toEqual(['seven']);
    });
  });

  it('recalls over everything the user may read, and shares namespaces that it creates', async () => {
    await using memhall = await openMemhall({ ...database().flags, embedder: 'none' });
    const ann = memhall.as({ user: 'ann', teams: ['blue'], namespaces: ['custom:birds'] });
    const bob = memhall.as({ user: 'bob', teams: ['blue'] });
    await ann.remember('Kestrels hover.');
    await ann.remember({ content: 'Kestrels of the team.', visibility: { namespace: 'team:blue' } });
    await ann.remember({ content: 'Kestrels of a list.', visibility: { namespace: 'custom:birds' } });
    const texts = async (memory: typeof ann, options = {}) =>
      (await memory.recall('kestrels', options)).map(({ memory: { content } }) => content).sort();
    expect(await texts(ann)).toEqual(['Kestrels hover.', 'Kestrels of a list.', 'Kestrels of the team.']);
    expect(await texts(ann, { scopes: ['own'] })).toEqual(['Kestrels hover.']);
    expect(await texts(ann, { namespaces: ['custom:birds'] })).toEqual(['Kestrels of a list.']);
    expect(await texts(bob)).toEqual(['Kestrels of the team.']);
    expect(await bob.recall('kestrels')).toMatchObject([
      {
        isOwn: false,
        trust: 'user',
        current: true,
        also: [],
        origin: { surface: 'library', author: 'ann', namespace: 'team:blue' },
      },
    ]);
    await expect(bob.remember({ content: 'x', visibility: { namespace: 'custom:birds' } })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    expect((await ann.namespaces()).map(({ name }) => name).sort()).toEqual(['custom:birds', 'team:blue']);
    expect(await ann.deleteNamespace('custom:birds')).toBe(true);
    expect(await texts(ann)).toEqual(['Kestrels hover.', 'Kestrels of the team.']);
  });

  it('completes calls in progress when it is closed, and then says that it is closed', async () => {
    const memhall = await openMemhall({ ...database().flags, embedder: 'none' });
    const memory = memhall.as({ user: 'closing' });
    const remembering = memory.remember('I am still writing.');
    await Promise.all([memhall.close(), memhall.close()]);
    expect((await remembering).outcome).toBe('created');
    const closed = { code: 'UNAVAILABLE', message: 'This memory is closed. Open it again with `openMemhall()`.' };
    for (const call of [
      () => memory.remember('Too late.'),
      () => memory.recall('writing'),
      () => memory.get('x'),
      () => memory.list(),
      () => memory.update('x', { content: 'Too late.' }),
      () => memory.forget('x'),
      () => memhall.pendingEmbeddings(),
    ])
      await expect(call()).rejects.toMatchObject(closed);
    expect(() => memhall.as({ user: 'closing' })).toThrow(closed.message);
  });

  it('rejects invalid tenant, user and service names', async () => {
    await withMemhall(async (memhall) => {
      for (const user of ['', 'a\nb', 'a\u0000', '\ud800', 'x'.repeat(257), undefined as never])
        expect(() => memhall.as({ user })).toThrow(/"user" must have 1 to 256 characters/);
      expect(() => memhall.as({ tenant: '', user: 'me' })).toThrow(/"tenant"/);
      expect(() => memhall.as({ user: 'me', service: '' })).toThrow(/"service"/);
    });
  });
});
