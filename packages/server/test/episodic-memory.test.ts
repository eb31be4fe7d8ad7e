import { expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { type Call, useServer } from './support/server.js';

let people = 0;

describeOneDatabase('episodic and procedural memory', (database) => {
  const server = useServer(database, { embedder: 'local' });

  async function newUser() {
    people += 1;
    const token = await server().token({ user: `user-${people}` });
    return (rest: Call) => server().call({ token, ...rest, path: `/v1/memory/${rest.path}` });
  }

  const turn = (content: string, rest: object = {}) => ({ agent_id: 'guide', role: 'user', content, ...rest });

  it('logs one interaction and returns it as sent', async () => {
    const call = await newUser();
    const sent = turn('Where is the museum?', {
      metadata: { lang: 'en' },
      session_id: 's1',
      occurred_at: '2024-05-01T10:00:00.000Z',
    });
    const { status, body } = await call({ method: 'POST', path: 'episodic', body: sent });
    expect(status).toBe(201);
    expect(body).toEqual({ ...sent, id: expect.any(String), created_at: expect.any(String) });
  });

  it('logs many interactions in one transaction, in the order sent', async () => {
    const call = await newUser();
    const entries = Array.from({ length: 500 }, (_, index) =>
      turn(`line ${index}`, { occurred_at: '2024-05-01T10:00:00Z' }),
    );
    const { status, body } = await call({ method: 'POST', path: 'episodic', body: { entries } });
    expect(status).toBe(201);
    expect(body.count).toBe(500);
    expect(body.entries.map((entry: { content: string }) => entry.content)).toEqual(
      entries.map(({ content }) => content),
    );
    const recent = await call({ path: 'episodic/recent?agent_id=guide&limit=3' });
    expect(recent.body.entries.map((entry: { content: string }) => entry.content)).toEqual([
      'line 499',
      'line 498',
      'line 497',
    ]);
    const tooMany = await call({ method: 'POST', path: 'episodic', body: { entries: [...entries, entries[0]] } });
    expect(tooMany.status).toBe(400);
    const oneBad = await call({ method: 'POST', path: 'episodic', body: { entries: [turn('good'), turn('   ')] } });
    expect(oneBad.status).toBe(400);
    expect((await call({ path: 'episodic/search?agent_id=guide&q=good' })).body.entries).toEqual([]);
  });

  it('lists the newest interactions first, by time of occurrence, per agent and session', async () => {
    const call = await newUser();
    const at = (day: number) => ({ occurred_at: `2024-05-0${day}T00:00:00Z` });
    for (const entry of [
      turn('second', { ...at(2), session_id: 'a' }),
      turn('third', { ...at(3), session_id: 'b' }),
      turn('first', { ...at(1), session_id: 'a' }),
    ]) {
      await call({ method: 'POST', path: 'episodic', body: entry });
    }
    await call({ method: 'POST', path: 'episodic', body: { ...turn('other agent'), agent_id: 'guide2' } });
    const contents = async (query: string) =>
      (await call({ path: `episodic/recent?agent_id=guide${query}` })).body.entries.map(
        (entry: { content: string }) => entry.content,
      );
    expect(await contents('')).toEqual(['third', 'second', 'first']);
    expect(await contents('&session_id=a')).toEqual(['second', 'first']);
    expect(await contents('&limit=1')).toEqual(['third']);
  });

  it('searches the interactions of one agent', async () => {
    const call = await newUser();
    const entries = [
      turn('My flight to Oslo leaves on Friday.'),
      { ...turn('Noted, have a safe trip!'), role: 'assistant' },
      turn('Buy bread.'),
    ];
    await call({
      method: 'POST',
      path: 'episodic',
      body: { entries: entries.map((entry) => ({ ...entry, session_id: 's' })) },
    });
    const { body } = await call({ path: 'episodic/search?agent_id=guide&q=airplane%20to%20Norway' });
    expect(body.entries[0]).toMatchObject({
      content: 'My flight to Oslo leaves on Friday.',
      role: 'user',
      score: expect.any(Number),
    });
    expect((await call({ path: 'episodic/search?agent_id=nobody&q=flight' })).body).toEqual({ entries: [], count: 0 });
    const stranger = await newUser();
    expect((await stranger({ path: 'episodic/search?agent_id=guide&q=flight' })).body.entries).toEqual([]);
  });

  it.each([
    ['POST', 'episodic', { role: 'user', content: 'x' }, /"agent_id" is required/],
    ['POST', 'episodic', turn('x', { role: 'robot' }), /one of user, assistant, system, tool/],
    ['POST', 'episodic', turn('x', { occurred_at: 'now' }), /occurred_at/],
    ['POST', 'episodic', turn('x', { extra: 1 }), /Unknown field "extra"/],
    ['POST', 'episodic', { entries: [] }, /must not be empty/],
    ['POST', 'episodic', { entries: [turn('x', { extra: 1 })] }, /Unknown field "entries.0.extra"/],
    ['GET', 'episodic/recent', undefined, /agent_id/],
    ['GET', 'episodic/recent?agent_id=a&limit=101', undefined, /at most 100/],
    ['GET', 'episodic/search?agent_id=a&q=x&limit=51', undefined, /at most 50/],
    ['GET', 'episodic/search?agent_id=a', undefined, /"q" is required/],
    ['GET', 'procedural/context?agent_id=a&q=x&limit=21', undefined, /at most 20/],
    ['POST', 'procedural', { agent_id: 'a', content: 'x', procedure_type: 'magic' }, /one of system_prompt/],
  ])('rejects %s %s %j', async (method, path, body, message) => {
    const call = await newUser();
    const answer = await call({ method, path, ...(body === undefined ? {} : { body }) });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(message);
  });

  it('stores procedures and finds them by trigger and by content', async () => {
    const call = await newUser();
    const skill = {
      agent_id: 'coder',
      trigger_condition: 'when the user asks for a code review',
      procedure_type: 'skill',
      content: 'Read the diff twice, then list risks by severity.',
      metadata: { level: 2 },
    };
    const { status, body } = await call({ method: 'POST', path: 'procedural', body: skill });
    expect(status).toBe(201);
    expect(body).toMatchObject(skill);
    await call({
      method: 'POST',
      path: 'procedural',
      body: { ...skill, trigger_condition: undefined, content: 'Water the plants.' },
    });
    expect((await call({ path: `procedural/${body.id}` })).body).toEqual(body);
    const fits = await call({ path: 'procedural/context?agent_id=coder&q=please%20review%20my%20pull%20request' });
    expect(fits.body.entries[0]).toMatchObject({ id: body.id, score: expect.any(Number) });
    expect((await call({ path: 'procedural/context?agent_id=coder&q=severity' })).body.entries[0].id).toBe(body.id);
    const stranger = await newUser();
    expect((await stranger({ path: `procedural/${body.id}` })).status).toBe(404);
    expect((await call({ method: 'DELETE', path: `procedural/${body.id}` })).status).toBe(204);
    expect((await call({ path: `procedural/${body.id}` })).status).toBe(404);
  });

  it('keeps the kinds of memory apart', async () => {
    const call = await newUser();
    const { body } = await call({ method: 'POST', path: 'semantic', body: { content: 'a fact' } });
    expect((await call({ path: `procedural/${body.id}` })).status).toBe(404);
    expect((await call({ method: 'DELETE', path: `procedural/${body.id}` })).status).toBe(404);
    expect((await call({ path: 'episodic/search?agent_id=guide&q=fact' })).body.entries).toEqual([]);
    expect((await call({ path: `semantic/${body.id}` })).status).toBe(200);
  });
});
