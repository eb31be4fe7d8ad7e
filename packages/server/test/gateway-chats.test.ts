import { expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { GatewayUser } from './support/gateway-user.js';
import { pastEverything } from './support/past-everything.js';
import { startTestServer, useServer } from './support/server.js';

const all = { scope: ['all_user_memory'] };

describeOneDatabase('a gateway chat', (database) => {
  const server = useServer(database);
  const newUser = () => GatewayUser.of(server());

  it('accepts messages in any order and stores them in time order', async () => {
    const me = await newUser();
    const { status, body } = await me.add('c', [
      { content: 'third walrus', timestamp: 3000, role: 'tool', sender_id: 'search' },
      { content: 'first walrus', timestamp: 1000 },
      { content: 'second walrus', timestamp: 2000, role: 'assistant', sender_id: 'beaver' },
    ]);
    expect({ status, body }).toEqual({ status: 200, body: { message_count: 3, status: 'accumulated' } });
    const rows = await pastEverything(
      database(),
      `SELECT content, role, kind, session_id, source FROM memhall.memories WHERE user_id = '${me.user}' ORDER BY seq`,
    );
    const place = { kind: 'episodic', session_id: 'chat:c' };
    expect(rows).toEqual([
      { ...place, content: 'first walrus', role: 'user', source: me.user },
      { ...place, content: 'second walrus', role: 'assistant', source: 'beaver' },
      { ...place, content: 'third walrus', role: 'tool', source: 'search' },
    ]);
  });

  it('accepts at most 500 messages at once', async () => {
    const me = await newUser();
    const many = Array.from({ length: 500 }, (_, index) => ({ content: `Line ${index} of the walrus song.` }));
    expect((await me.add('c', many)).body).toEqual({ message_count: 500, status: 'accumulated' });
    expect((await me.add('c', [...many, { content: 'one more' }])).status).toBe(422);
    expect(await me.texts('one more', { conversation_id: 'c', method: 'keyword' })).toEqual([]);
  });

  it('stores a message id once per session, even if it is sent concurrently', async () => {
    const me = await newUser();
    const message = { id: 'm1', content: 'The walrus came by.', timestamp: 1000 };
    const answers = await Promise.all(Array.from({ length: 6 }, () => me.add('c', [message])));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.reduce((sum, { body }) => sum + body.message_count, 0)).toBe(1);
    const both = [message, { id: 'm2', content: 'And left.' }, { id: 'm2', content: 'And left.' }];
    expect((await me.add('c', both)).body.message_count).toBe(1);
    expect(await me.texts('walrus', { conversation_id: 'c' })).toHaveLength(1);
    expect((await me.add('d', [message])).body.message_count).toBe(1);
    expect((await me.add('c', [message], { project_id: 'p2' })).body.message_count).toBe(1);
    expect((await me.add('c', [message], { app_id: 'a2' })).body.message_count).toBe(1);
  });

  it('stores a message once across servers', async () => {
    if (database().kind === 'embedded') return;
    const other = await startTestServer(database());
    try {
      const me = await newUser();
      const message = { id: 'm1', sender_id: 's', role: 'user', timestamp: 1, content: 'The walrus came by.' };
      const add = { ...me.identity, session_id: 'chat:c', messages: [message] };
      const calls = [server(), other, server(), other].map((node) =>
        node.call({ method: 'POST', path: '/memories/add', body: add, token: '' }),
      );
      const counts = (await Promise.all(calls)).map(({ body }) => body.message_count);
      expect(counts.sort()).toEqual([0, 0, 0, 1]);
      const flush = { ...me.identity, session_id: 'chat:c' };
      const closings = [server(), other, server(), other].map((node) =>
        node.call({ method: 'POST', path: '/memories/flush', body: flush, token: '' }),
      );
      const episodes = (await Promise.all(closings)).map(({ body }) => body.episodes);
      expect(episodes.sort()).toEqual([0, 0, 0, 1]);
    } finally {
      await other.close();
    }
  });

  it('stores a message without an id every time it is sent', async () => {
    const me = await newUser();
    await me.say('c', 'The walrus again.');
    await me.say('c', 'The walrus again.');
    expect(await me.texts('walrus', { conversation_id: 'c' })).toHaveLength(1);
    const token = await server().token({ user: me.user });
    const body = { query: 'walrus' };
    const { results } = (await server().call({ method: 'POST', path: '/v1/recall', body, token })).body;
    expect(results).toMatchObject([{ text: 'The walrus again.', also: [expect.any(String)] }]);
  });

  it('accepts text items, and rejects other kinds with 400 and stores nothing', async () => {
    const me = await newUser();
    const content = [
      { type: 'text', text: 'A walrus' },
      { type: 'text', text: 'on two lines' },
    ];
    expect((await me.add('c', [{ content }])).status).toBe(200);
    expect(await me.texts('walrus', { conversation_id: 'c' })).toEqual(['A walrus\non two lines']);
    const image = [{ type: 'image', url: 'https://example.org/walrus.png' }];
    const refused = await me.add('c', [{ content: 'A second walrus' }, { content: image }]);
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ code: 'UNSUPPORTED_CONTENT', message: /messages\.1\.content\.0/ });
    expect((await me.add('c', [{ content: [{ type: 'text' }] }])).status).toBe(422);
    expect((await me.add('c', [{ content: [] }])).status).toBe(422);
    expect(await me.texts('second', { conversation_id: 'c', method: 'keyword' })).toEqual([]);
  });

  it('stores no secrets', async () => {
    const me = await newUser();
    const key = 'sk-q7Lw2Zx9Vb4Nm8Kd3Hs6Tj1Rf5';
    await me.say('c', `My walrus key is ${key}.`);
    await me.flush('c');
    const found = await me.found('walrus key', { conversation_id: 'c', ...all });
    expect(JSON.stringify(found)).toContain('[REDACTED:SK_TOKEN]');
    expect(JSON.stringify(found)).not.toContain(key);
  });

  it('accepts apps, projects and ids that look like secrets', async () => {
    const me = await newUser();
    const place = {
      app_id: 'c1231a1c0c6343eac1231a1c0c6343eac1231a1c',
      project_id: 'QWxhZGRpbjpvcGVuIHNlc2FtZQ-QWxhZGRpbjpvcGVu',
    };
    await me.add('c', [{ content: 'walrus' }], place);
    expect(await me.texts('walrus', { conversation_id: 'c', ...place })).toEqual(['walrus']);
    expect(await me.texts('walrus', { conversation_id: 'c' })).toEqual([]);
    expect((await me.flush('c')).body.status).toBe('no_extraction');
    expect((await me.flush('c', place)).body.status).toBe('extracted');
  });

  it('closes the open episode once and makes it recallable as a whole', async () => {
    const me = await newUser();
    expect((await me.flush('c')).body).toEqual({ status: 'no_extraction', episodes: 0 });
    await me.say('c', 'I moved to Bergen last week.', 'We decided to name the walrus Olav.');
    const { status, body } = await me.flush('c');
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'extracted', episodes: 1, digest_id: expect.stringMatching(/^evt_/) },
    });
    expect((await me.flush('c')).body).toEqual({ status: 'no_extraction', episodes: 0 });
    const whole = (await me.found('walrus Olav Bergen', { conversation_id: 'c', top_k: 20 })).find(
      ({ raw }) => raw.kind === 'event',
    );
    expect(whole).toMatchObject({ session_id: 'chat:c', source_scope: 'current_chat' });
    const token = await server().token({ user: me.user });
    const events = await server().call({
      method: 'POST',
      path: `/v1/tenants/t1/users/${me.user}/events:search`,
      body: { query: 'walrus' },
      token,
    });
    expect(events.body.results).toMatchObject([
      { event_id: body.digest_id, digest: whole.text, source_type: 'conversation', evidence: { session_id: 'chat:c' } },
    ]);
    await me.say('c', 'The walrus is called Hedda now.');
    const next = await me.flush('c');
    expect(next.body).toMatchObject({ status: 'extracted', episodes: 1 });
    expect(next.body.digest_id).not.toBe(body.digest_id);
  });

  it('is closed by exactly one of several concurrent flushes', async () => {
    const me = await newUser();
    await me.say('c', 'The walrus sleeps.');
    const answers = await Promise.all(Array.from({ length: 5 }, () => me.flush('c')));
    expect(answers.map(({ body }) => body.episodes).sort()).toEqual([0, 0, 0, 0, 1]);
    expect(
      (await me.found('walrus', { top_k: 50, ...all })).filter(({ raw }) => raw.kind === 'event').length,
    ).toBeLessThan(2);
  });

  it('turns notable statements into facts with evidence, and corrects them', async () => {
    const me = await newUser();
    await me.say('c', 'My name is Ada and I live in Basel.');
    await me.flush('c');
    const token = await server().token({ user: me.user });
    const facts = async (): Promise<{ content: string; metadata: object }[]> =>
      (await server().call({ path: '/v1/memories?kind=fact', token })).body.memories;
    const [home] = (await facts()).filter(({ content }) => /Basel/.test(content));
    expect(home?.metadata).toMatchObject({
      fact_kind: 'identity',
      evidence: { session_id: 'chat:c', message_ids: [expect.any(String)] },
    });
    const found = async (place: RegExp) =>
      (await me.found('Where do I live? home city', { top_k: 50, ...all })).filter(({ text }) => place.test(text));
    expect(await found(/Basel/)).toMatchObject([{ source_scope: 'all_user_memory' }]);
    await me.say('d', 'Actually, I live in Bern now.');
    await me.flush('d');
    const known = await server().call({ path: '/v1/facts?attribute=lives%20in&include_superseded=true', token });
    expect(known.body.facts).toMatchObject([
      { value: 'Bern', status: 'current', trust: 'user' },
      { value: 'Basel', status: 'superseded' },
    ]);
    const body = { query: 'Where do I live? home city', kinds: ['fact'] };
    const { results } = (await server().call({ method: 'POST', path: '/v1/recall', token, body })).body;
    const texts: string[] = results.map(({ text }: { text: string }) => text);
    expect(texts.some((text) => /Bern/.test(text))).toBe(true);
    expect(texts.some((text) => /Basel/.test(text))).toBe(false);
    await me.say('e', 'I live in Bern.');
    await me.flush('e');
    expect((await facts()).filter(({ content }) => /Bern/.test(content))).toHaveLength(1);
  });

  it('closes open messages in episodes of at most 500', async () => {
    const me = await newUser();
    const many = Array.from({ length: 300 }, (_, index) => ({ content: `Line ${index}.` }));
    await me.add('c', many);
    await me.add('c', many);
    expect((await me.flush('c')).body).toMatchObject({ status: 'extracted', episodes: 2 });
  });

  it('writes an audit record of every change', async () => {
    const me = await newUser();
    await me.say('c', 'I live in Basel.');
    await me.flush('c');
    const records = await pastEverything<{ operation: string; target: string }>(
      database(),
      `SELECT record::json ->> 'operation' AS operation, target FROM memhall.audit_records WHERE user_id = '${me.user}' ORDER BY seq`,
    );
    expect(records).toMatchObject(
      [
        { operation: 'users.register' },
        { operation: 'gateway.add', target: /^memory\/episodic\// },
        { operation: 'gateway.flush', target: /^events\/evt_/ },
        { operation: 'gateway.flush', target: /^memory\/fact\// },
        { operation: 'gateway.flush', target: /^fact\// },
      ].map(({ operation, target }) => ({ operation, ...(target ? { target: expect.stringMatching(target) } : {}) })),
    );
  });

  const message = { sender_id: 's', role: 'user', timestamp: 1, content: 'x' };
  it.each([
    ['/memories/add', { session_id: undefined, messages: [message] }, /"session_id" is required/],
    ['/memories/add', { session_id: 'chat:c' }, /"messages" is required/],
    ['/memories/add', { session_id: 'chat:c', messages: [] }, /messages/],
    ['/memories/add', { session_id: 'a b', messages: [message] }, /session_id/],
    ['/memories/add', { session_id: 'chat:c', messages: [{ ...message, sender_id: undefined }] }, /sender_id/],
    ['/memories/add', { session_id: 'chat:c', messages: [{ ...message, role: 'system' }] }, /user, assistant, tool/],
    ['/memories/add', { session_id: 'chat:c', messages: [{ ...message, timestamp: 0 }] }, /timestamp/],
    ['/memories/add', { session_id: 'chat:c', messages: [{ ...message, timestamp: '1' }] }, /timestamp/],
    ['/memories/add', { session_id: 'chat:c', messages: [{ ...message, timestamp: 1e18 }] }, /timestamp/],
    ['/memories/add', { session_id: 'chat:c', messages: [{ ...message, content: '' }] }, /content/],
    ['/memories/add', { session_id: 'chat:c', messages: [{ ...message, content: '  ' }] }, /blank/],
    ['/memories/add', { session_id: 'chat:c', messages: [{ ...message, content: 'a\u0000b' }] }, /NUL/],
    ['/memories/add', { session_id: 'chat:c', messages: [message], tenant_id: 't2' }, /Unknown field "tenant_id"/],
    ['/memories/add', { session_id: 'chat:c', messages: [message], user_key: undefined }, /"user_key" is required/],
    ['/memories/add', { session_id: 'chat:c', messages: [message], app_id: '' }, /app_id/],
    ['/memories/flush', {}, /"session_id" is required/],
    ['/memories/search', {}, /"query" is required/],
    ['/memories/search', { query: ' ' }, /blank/],
    ['/memories/search', { query: 'x', top_k: 0 }, /top_k/],
    ['/memories/search', { query: 'x', top_k: 101 }, /top_k/],
    ['/memories/search', { query: 'x', radius: 1.1 }, /radius/],
    ['/memories/search', { query: 'x', method: 'magic' }, /hybrid, keyword, vector/],
    ['/memories/search', { query: 'x', scope: [] }, /scope/],
    ['/memories/search', { query: 'x', scope: ['everything'] }, /scope/],
    ['/memories/search', { query: 'x', filters: { colour: 'red' } }, /Unknown field "filters.colour"/],
    ['/memories/search', { query: 'x', filters: { from: '2026-02-30T00:00:00Z' } }, /filters.from/],
    ['/memories/override', { id: 'x' }, /"content" is required/],
    ['/memories/delete', {}, /"id" is required/],
  ])('returns 422 to %s with %j', async (path, body, expected) => {
    const me = await newUser();
    const answer = await me.post(path, body);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.error)).toEqual(['code', 'message', 'request_id']);
    expect(answer.body.error.message).toMatch(expected);
    expect(answer.body.error.request_id).toBe(answer.headers.get('x-request-id'));
  });

  it('returns 405 for other methods and 415 for bodies that are not JSON', async () => {
    expect((await server().call({ path: '/memories/add' })).status).toBe(405);
    const sent = await fetch(`${server().url}/memories/add`, { method: 'POST', body: 'walrus' });
    expect(sent.status).toBe(415);
  });
});
