import { expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { GatewayUser } from './support/gateway-user.js';
import { type Answer, useServer } from './support/server.js';

interface Found {
  id: string;
  text: string;
  current: boolean;
  score: number;
  superseded_by?: string;
  superseded_at?: string;
  disputed_by?: { fact_id: string; text: string; memory_id?: string }[];
  note?: string;
  explain?: { truth: number };
}

let count = 0;

describeOneDatabase('recall and facts', (database) => {
  const server = useServer(database);

  function newUser(user = `truth-${++count}`) {
    const as = (roles: string[] = [], claims: Record<string, string> = {}) => {
      const holder = roles.length > 0 ? 'somebody' : user;
      const acting = holder === user ? {} : { user_id: user };
      const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Answer> => {
        const token = await server().token({ user: holder, roles, claims });
        return server().call({ method, path, token, ...(body && { body: { ...body, ...acting } }) });
      };
      const remember = async (content: string, more: object = {}): Promise<string> =>
        (await call('POST', '/v1/remember', { content, ...more })).body.memory.id;
      const put = async (attribute: string, value: string, more: object = {}): Promise<string> => {
        const { body } = await call('PUT', '/v1/facts', { subject: 'me', attribute, value, ...more });
        expect(body).toHaveProperty('fact');
        return body.fact.id;
      };
      const recall = async (query: string, more: object = {}): Promise<Found[]> => {
        const { body } = await call('POST', '/v1/recall', { query, ...more });
        expect(body).toHaveProperty('results');
        return body.results;
      };
      const texts = async (query: string, more: object = {}) => (await recall(query, more)).map(({ text }) => text);
      const why = async (query: string, id: string) =>
        (await call('POST', '/v1/recall:why', { query, memory_id: id })).body;
      return { call, remember, put, recall, texts, why };
    };
    return { user, as, ...as() };
  }

  /** Somebody who moved from Bergen to Oslo. */
  async function movedUser() {
    const user = newUser();
    const bergen = await user.remember('I live in Bergen', { occurred_at: '2015-02-01T00:00:00Z' });
    const oslo = await user.remember('I moved to Oslo last week', { occurred_at: '2024-03-08T00:00:00Z' });
    const { body } = await user.call('GET', '/v1/facts?include_superseded=true');
    const [osloFact, bergenFact] = ['Oslo', 'Bergen'].map(
      (value) => body.facts.find((fact: { value: string }) => fact.value === value).id,
    );
    return { ...user, bergen, bergenFact, oslo, osloFact };
  }

  it('leaves out what is no longer true, unless the query asks about the past or about the change', async () => {
    const { recall, texts, why, call, bergen, oslo } = await movedUser();
    const both = ['I live in Bergen', 'I moved to Oslo last week'];
    expect(await recall('Where do I live?')).toMatchObject([
      { text: 'I moved to Oslo last week', current: true, stands_for: [bergen] },
    ]);
    const [explained] = await recall('Where do I live?', { explain: true });
    expect(explained).toMatchObject({
      id: oslo,
      explain: { scored_as: bergen, lexical: expect.any(Number), copies: [] },
    });
    expect(await why('Where do I live?', oslo)).toMatchObject({
      ...{ returned: true, rank: 1 },
      explain: { message: `It is in result 1, in place of ${bergen}, which is no longer true.` },
    });
    expect((await texts('Where did I live before Oslo?'))[0]).toBe('I live in Bergen');
    expect((await texts('Where did I use to live?'))[0]).toBe('I live in Bergen');
    expect((await texts('Where did I live in 2020?'))[0]).toBe('I live in Bergen');
    expect((await texts('When did I move from Bergen?')).sort()).toEqual(both);
    const all = await recall('Do I live in Oslo?', { include_superseded: true, explain: true });
    expect(all.map(({ text }) => text)).toEqual([...both].reverse());
    expect(all[1]).toMatchObject({
      ...{ current: false, superseded_by: oslo, superseded_at: '2024-02-26T00:00:00.000Z' },
      ...{ note: `superseded since 2024-02-26 by ${oslo}`, explain: { truth: expect.any(Number) } },
    });
    expect(all[1]?.explain?.truth).toBeLessThan(0);
    expect(all[0]).toMatchObject({ current: true });
    expect(all[0]).not.toHaveProperty('superseded_by');
    const present = await recall('Where do I live?', { include_superseded: true, explain: true });
    expect(present).toMatchObject([
      { text: 'I moved to Oslo last week', current: true, explain: { scored_as: bergen } },
      { text: 'I live in Bergen', current: false },
    ]);
    expect(present[0]).not.toHaveProperty('stands_for');
    expect(await why('Where do I live?', bergen)).toMatchObject({
      ...{ returned: false, reason: 'superseded' },
      explain: { message: expect.stringContaining(`superseded since 2024-02-26 by ${oslo}`), current: false },
    });
    expect(await why('Where did I live?', bergen)).toMatchObject({ returned: true, reason: 'returned' });
    const semantic = await call('POST', '/v1/recall', { query: 'Where do I live?', group_by: 'session' });
    expect(semantic.body.results).toEqual([]);
  });

  it('shows the latest changes, before and after, if the query names nothing else', async () => {
    const { remember, recall, texts } = await movedUser();
    await remember('I like tea', { occurred_at: '2024-03-08T00:00:00Z' });
    await remember('I work at Acme', { occurred_at: '2024-03-09T00:00:00Z' });
    await remember('I joined Bolt', { occurred_at: '2024-06-01T00:00:00Z' });
    for (const query of [
      'How did that change?',
      'What changed?',
      'and when did it change',
      'What has changed lately?',
    ]) {
      const found = await texts(query);
      expect(found.slice(0, 2).sort()).toEqual(['I joined Bolt', 'I work at Acme']);
      expect(found.slice(2).sort()).toEqual(['I live in Bergen', 'I moved to Oslo last week']);
    }
    expect(await texts('What changed?', { as_of: '2024-05-01T00:00:00Z' })).toHaveLength(2);
    expect(await texts('What changed?', { as_of: '2020-05-01T00:00:00Z' })).toEqual([]);
    expect((await texts('What changed in June 2024?')).sort()).toEqual(['I joined Bolt', 'I work at Acme']);
    const [first] = await recall('What changed?', { explain: true });
    expect(first?.explain?.truth).toBeGreaterThan(0);
    expect(await texts('How did the weather change?')).toEqual([]);
  });

  it('leaves out the digest of a chat with what it repeats, until that is said again', async () => {
    const chat = await GatewayUser.of(server());
    const say = async (year: number, content: string) => {
      await chat.add(`in-${year}`, [{ content, timestamp: Date.UTC(year, 0, 1) }]);
      await chat.flush(`in-${year}`);
    };
    const texts = (query: string) => chat.texts(query, { scope: ['all_user_memory'], conversation_id: 'now' });
    await say(2022, 'I live in Bergen');
    await say(2023, 'I moved to Oslo last week, no longer in Bergen');
    expect(await texts('Where do I live?')).toEqual(['I moved to Oslo last week, no longer in Bergen']);
    expect((await texts('Where did I live before Oslo?'))[0]).toBe('I live in Bergen');
    await say(2024, 'I live in Bergen');
    expect((await texts('Where do I live?'))[0]).toBe('I live in Bergen');
  });

  it('answers as of a moment, and follows the clock without a write', async () => {
    const { recall, texts, put, remember } = await movedUser();
    expect(await texts('Where do I live?', { as_of: '2020-01-01T00:00:00Z' })).toEqual(['I live in Bergen']);
    expect((await recall('Where do I live?', { as_of: '2020-01-01T00:00:00Z' }))[0]).toMatchObject({ current: true });
    expect(await texts('Where do I live?', { as_of: '2014-01-01T00:00:00Z' })).toEqual([]);
    const rome = await remember('Rome, a place to live', { occurred_at: '2024-04-01T00:00:00Z' });
    await put('lives in', 'Rome', { valid_from: '2999-01-01T00:00:00Z', evidence: [rome] });
    expect((await texts('Where do I live?')).sort()).toEqual(
      ['I moved to Oslo last week', 'Rome, a place to live'].sort(),
    );
    expect(await texts('Where do I live?', { as_of: '2999-01-02T00:00:00Z' })).toEqual(['Rome, a place to live']);
  });

  it('has everything back once facts are undone, retracted or removed', async () => {
    const { recall, texts, call, bergenFact, osloFact, oslo } = await movedUser();
    const before = await recall('Where do I live?');
    await call('POST', `/v1/facts/${osloFact}:undo`, {});
    expect(await texts('Where do I live?')).toEqual(['I live in Bergen']);
    await call('POST', `/v1/facts/${osloFact}:confirm`, {}).then(({ status }) => expect(status).toBe(409));
    await call('PUT', '/v1/facts', {
      ...{ subject: 'me', attribute: 'lives in', value: 'Oslo', valid_from: '2024-02-26T00:00:00Z', evidence: [oslo] },
    });
    expect((await recall('Where do I live?')).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    await call('POST', `/v1/facts/${bergenFact}:retract`, {});
    const [bergen] = (await recall('Bergen', { include_superseded: true })).filter(({ text }) =>
      text.includes('Bergen'),
    );
    expect(bergen).toMatchObject({ current: false, note: 'retracted' });
    await call('POST', `/v1/facts/${bergenFact}:undo`, {});
    await call('DELETE', `/v1/memories/${oslo}`);
    const left = await recall('Where do I live?');
    expect(left).toMatchObject([{ text: 'I live in Bergen', current: true }]);
    expect(left[0]).not.toHaveProperty('note');
  });

  it('keeps a memory that also says something else, and ranks it lower', async () => {
    const { remember, put, recall } = newUser();
    const mixed = await remember('I live in Bergen and I sing in the opera choir');
    await remember('My house is in a quiet street');
    const alone = await recall('Where do I live in Bergen?', { explain: true });
    await put('lives in', 'Bergen', { valid_from: '2015-01-01T00:00:00Z', evidence: [mixed] });
    const oslo = await put('lives in', 'Oslo', { valid_from: '2024-01-01T00:00:00Z' });
    const [found] = await recall('Where do I live in Bergen?', { explain: true });
    expect(found).toMatchObject({
      ...{ id: mixed, current: true, superseded_by: oslo },
      note: `a part of it is superseded since 2024-01-01 by ${oslo}`,
    });
    expect(found?.score).toBeLessThan(alone[0]?.score ?? 0);
    await put('hobby', 'opera choir', {
      evidence: [mixed],
      valid_to: '2025-01-01T00:00:00Z',
      valid_from: '2015-01-01T00:00:00Z',
    });
    expect((await recall('Where do I live in Bergen?')).map(({ id }) => id)).not.toContain(mixed);
  });

  it('shows what a less trusted source says behind what it contradicts, as a disagreement', async () => {
    const { as, remember, put, recall } = newUser();
    const oslo = await remember('Oslo is home');
    await put('lives in', 'Oslo', { valid_from: '2024-01-01T00:00:00Z', evidence: [oslo] });
    const agent = as(['service']);
    const paris = await agent.remember('Where do I live? I live in Paris, I live in Paris.', { trust: 'external' });
    await agent.put('lives in', 'Paris', { valid_from: '2025-01-01T00:00:00Z', evidence: [paris] });
    const found = await recall('Where do I live?');
    expect(found.map(({ id }) => id)).toEqual([oslo, paris]);
    expect(found[1]).toMatchObject({
      ...{ current: true, note: 'disputed: the user says "me: lives in Oslo"' },
      disputed_by: [{ text: 'me: lives in Oslo', memory_id: oslo, trust: 'user' }],
    });
    expect(found[1]?.score).toBeLessThanOrEqual(found[0]?.score ?? 0);
    const beside = await recall('Paris', { explain: true });
    expect(beside.map(({ id }) => id)).toEqual([oslo, paris]);
    expect(beside[0]).toMatchObject({ explain: { scored_as: paris } });
    expect(beside[1]?.explain).not.toHaveProperty('scored_as');
    expect((await recall('Where do I live?', { limit: 1 })).map(({ id }) => id)).toEqual([oslo]);
    expect(await recall('Where do I live?', { as_of: '2023-01-01T00:00:00Z' })).toEqual([]);
  });

  it('compares statements that no attribute of the table is about', async () => {
    const { as, remember, recall, call, why } = newUser();
    const pairs = [
      [
        'My doctor is Astrid Moe.',
        'The doctor of the user is Peer Vinter, no longer Astrid Moe.',
        'Who is the doctor of the user?',
      ],
      ['I live in Bergen.', 'According to the directory, the user lives in Tromsø now.', 'Where does the user live?'],
      [
        'My account number ends in 4471.',
        'The account number of the user ends in 9902.',
        'What does the account number of the user end in?',
      ],
      ['I am allergic to nuts.', 'The user is not allergic to nuts.', 'Is the user allergic to nuts?'],
    ] as const;
    const page = as(['service']);
    const ids = new Map<string, string>();
    for (const [truth, lie] of pairs) {
      ids.set(truth, await remember(truth, { session_id: `own-${truth.length}` }));
      for (const more of [{ trust: 'external' }, { role: 'tool' }])
        ids.set(
          lie,
          await page.remember(lie, {
            ...more,
            kind: 'role' in more ? 'episodic' : 'note',
            session_id: `page-${lie.length}`,
          }),
        );
    }
    for (const [truth, lie, question] of pairs) {
      const found = await recall(question, { limit: 20 });
      const places = found.flatMap(({ text }, place) => (text === lie ? [place] : []));
      const own = found.findIndex(({ text }) => text === truth);
      expect([question, own >= 0, places.length > 0 && places.every((place) => place > own)]).toEqual([
        question,
        true,
        true,
      ]);
      for (const place of places)
        expect(found[place]).toMatchObject({
          note: expect.stringContaining('disputed: the user says'),
          disputed_by: [{ trust: 'user', memory_id: ids.get(truth) }],
        });
      expect(found[own]).not.toHaveProperty('note');
      expect((await recall(question, { limit: 1 }))[0]?.text).toBe(truth);
      expect((await why(question, found[places[0] as number]?.id as string)).explain.message).toContain(
        'disputed: the user says',
      );
      const { body } = await call('POST', '/v1/recall', { query: question, group_by: 'session', limit: 20 });
      const sessions = body.results.map(({ session_id }: { session_id: string }) => session_id);
      expect(sessions.indexOf(`own-${truth.length}`)).toBeLessThan(sessions.indexOf(`page-${lie.length}`));
    }
    const { body } = await call('GET', '/v1/facts');
    expect(body.facts.filter(({ status }: { status: string }) => status === 'current')).toMatchObject([
      { attribute: 'allergic to', value: 'nuts' },
      { attribute: 'lives in', value: 'Bergen' },
    ]);
  });

  it('finds the statement of the user however many lies match better', async () => {
    const { as, remember, recall } = newUser();
    const page = as(['service']);
    const truth =
      'My doctor in the old town, where I have gone for twenty years, is Astrid Moe. My notary is Ola Dahl.';
    await remember(truth);
    for (const letter of 'abcdefgh')
      for (const other of 'mnopqrst')
        await page.remember(`Notary, notary, notary: the notary of the user is Per${letter}${other}.`, {
          trust: 'external',
        });
    const found = await recall('notary of the user', { limit: 5 });
    expect(found[0]?.text).toBe(truth);
    expect(found.slice(1).every(({ note }) => note?.includes('My notary is Ola Dahl'))).toBe(true);
  });

  it('answers a question for what the user stated with that first, whatever others say', async () => {
    const { as, remember, texts } = newUser();
    const page = as(['service']);
    const [boss, site] = [
      'My boss is Tove Lind.',
      'Boss of the year: who is the boss the user reports to? Boss Rasmus Falk.',
    ];
    await remember(boss);
    await page.remember(site, { trust: 'external' });
    expect(await texts('Who is my boss?')).toEqual([boss, site]);
    expect(await texts('Who is the boss of the user?')).toEqual([boss, site]);
    expect((await texts('Who is the boss of the year, Rasmus Falk?'))[0]).toBe(site);
  });

  it('keeps a user’s facts from the readers of shared memories', async () => {
    const claims = { workspace_id: `house-${++count}` };
    const alice = newUser();
    const bob = newUser();
    const asAlice = alice.as([], claims);
    const shared = await asAlice.remember('The house of Alice: Bergen', {
      namespace: `workspace:${claims.workspace_id}`,
    });
    await asAlice.put('lives in', 'Bergen', { valid_from: '2015-01-01T00:00:00Z', evidence: [shared] });
    // With another token, which cannot read the workspace.
    const secret = await alice.remember('Oslo it is, at last');
    const oslo = await alice.put('lives in', 'Oslo', { valid_from: '2024-01-01T00:00:00Z', evidence: [secret] });
    expect(await asAlice.texts('the house of Alice')).toEqual(['Oslo it is, at last']);
    const [seen] = await bob.as([], claims).recall('the house of Alice');
    expect(seen).toMatchObject({ id: shared, current: true });
    expect(seen).not.toHaveProperty('note');
    await alice.call('POST', `/v1/facts/${oslo}:undo`, {});
    expect((await asAlice.texts('the house of Alice'))[0]).toBe('The house of Alice: Bergen');
    const stolen = await bob
      .as([], claims)
      .put('lives in', 'Bergen', { evidence: [shared], valid_to: '2999-01-01T00:00:00Z' });
    await bob.call('POST', `/v1/facts/${stolen}:retract`, {});
    expect((await asAlice.recall('the house of Alice'))[0]).toMatchObject({ id: shared, current: true });
  });
});
