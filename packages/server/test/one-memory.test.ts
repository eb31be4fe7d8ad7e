import { expect, it } from 'vitest';
import { describeEachDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { useServer } from './support/server.js';

interface Result {
  id: string;
  text: string;
  also?: string[];
}

let count = 0;

describeEachDatabase('remember, recall and forget', (database) => {
  const server = useServer(database);

  /** Calls as a new user; `claims` and `roles` make another token of the same user. */
  function newUser(user = `user-${++count}`) {
    const call = async (
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT',
      path: string,
      body?: object,
      { headers = {}, claims = {} }: { headers?: Record<string, string>; claims?: Record<string, string> } = {},
    ) => server().call({ method, path, body, headers, token: await server().token({ user, claims }) });
    const recall = async (query: string, more: object = {}): Promise<Result[]> =>
      (await call('POST', '/v1/recall', { query, ...more })).body.results;
    return { user, call, recall, remember: (body: object) => call('POST', '/v1/remember', body) };
  }

  it('stores a note once and says where it came from', async () => {
    const { user, remember, recall } = newUser();
    const first = await remember({ content: 'I take my tea without milk.', tags: ['drinks'] });
    expect(first.status).toBe(201);
    expect(first.body.memory).toMatchObject({
      kind: 'note',
      tags: ['drinks'],
      trust: 'user',
      origin: { surface: 'api', author: user },
    });
    const again = await remember({ content: 'I take my tea without milk.' });
    expect([again.status, again.body.memory.id]).toEqual([200, first.body.memory.id]);
    expect(await recall('tea')).toMatchObject([
      { id: first.body.memory.id, text: 'I take my tea without milk.', current: true, own: true, trust: 'user' },
    ]);
  });

  it('updates by external id, stores many at once, and repeats a response for an idempotency key', async () => {
    const { call, remember, recall } = newUser();
    await remember({ content: 'The plan is A.', external_id: 'plan' });
    const changed = await remember({ content: 'The plan is B.', external_id: 'plan' });
    expect(changed.status).toBe(200);
    expect((await recall('plan')).map(({ text }) => text)).toEqual(['The plan is B.']);
    const body = { memories: [{ content: 'One boat.' }, { content: 'Two boats.', kind: 'episodic', role: 'user' }] };
    const headers = { 'idempotency-key': 'k1' };
    const first = await call('POST', '/v1/remember', body, { headers });
    const second = await call('POST', '/v1/remember', body, { headers });
    expect(first.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(second.status).toBe(201);
    expectProblem(await call('POST', '/v1/remember', { content: 'x' }, { headers }), 'IDEMPOTENCY_CONFLICT');
  });

  it('removes secrets, and refuses kinds that other records own', async () => {
    const { remember } = newUser();
    const { body } = await remember({ content: 'OPENAI_API_KEY=sk-abcdefghijklmnopqrstuvwxyz012345 is mine' });
    expect(body.memory.content).not.toContain('sk-abc');
    expectProblem(await remember({ content: 'x', kind: 'tier' }), 'INVALID_REQUEST');
    expectProblem(await remember({ content: 'x', colour: 'red' }), 'UNKNOWN_FIELD');
  });

  it('finds what was written through other surfaces', async () => {
    const { user, call, recall } = newUser();
    await call('POST', '/v1/memory/semantic', { content: 'Semantic kestrel.' });
    await call('POST', '/v1/memory/episodic', { agent_id: 'a', role: 'user', content: 'Episodic kestrel.' });
    await call('POST', '/v1/memory/procedural', {
      agent_id: 'a',
      procedure_type: 'system_prompt',
      trigger_condition: 'birds',
      content: 'Procedural kestrel.',
    });
    await call('POST', '/v1/provider/retain', {
      workspace_id: user,
      tier: 'pins',
      mode: 'append',
      content: 'Tier kestrel.',
    });
    const found = await recall('kestrel');
    expect(found.map(({ text }) => text).sort()).toEqual([
      'Episodic kestrel.',
      'Procedural kestrel.',
      'Semantic kestrel.',
      'Tier kestrel.',
    ]);
    const other = newUser();
    expect(await other.recall('kestrel')).toEqual([]);
  });

  it('shows several copies of one statement as one, but never hides somebody else’s words behind the user’s own', async () => {
    const [ann, bob] = [newUser(), newUser()];
    const own = await ann.remember({ content: 'The harbour opens at nine.' });
    await ann.call('POST', '/v1/memory/semantic', { content: 'the harbour opens at nine' });
    await bob.call('POST', '/v1/memory/semantic', { content: 'The harbour opens at nine!', is_public: true });
    const results = await ann.recall('When does the harbour open?', { explain: true });
    expect(results.map((one) => [(one as { own?: boolean } & Result).own, one.also?.length ?? 0])).toEqual(
      expect.arrayContaining([
        [true, 1],
        [false, 0],
      ]),
    );
    expect(results).toHaveLength(2);
    const mine = results.find((one) => (one as { own?: boolean } & Result).own);
    expect(mine).toMatchObject({ explain: { copies: [{ reason: 'same statement' }] } });
    expect(await ann.recall('harbour', { scopes: ['own'] })).toHaveLength(1);
    expect(await ann.recall('harbour', { scopes: ['public'] })).toHaveLength(1);
    await ann.call('DELETE', `/v1/memories/${own.body.memory.id}?copies=true`);
    expect(await ann.recall('harbour', { scopes: ['own'] })).toEqual([]);
    expect(await bob.recall('harbour')).toHaveLength(1);
  });

  it('fits results into a budget without cutting a text', async () => {
    const { remember, recall } = newUser();
    for (const number of [1, 2, 3]) await remember({ content: `Boat number ${number} ${'sails '.repeat(20)}` });
    expect(await recall('boat')).toHaveLength(3);
    expect(await recall('boat', { token_budget: 70 })).toHaveLength(2);
    expect(await recall('boat', { token_budget: 10 })).toEqual([]);
  });

  it('ranks sessions on all their memories, and leaves out what has no session', async () => {
    const { call, remember } = newUser();
    const turn = (session_id: string, content: string, minute: number) => ({
      ...{ session_id, content, kind: 'episodic', role: 'user' },
      occurred_at: new Date(Date.UTC(2026, 0, 5, 10, minute)).toISOString(),
    });
    await remember({
      memories: [
        turn('boat', 'The sailing boat needs a new mast.', 0),
        turn('boat', 'The sails of the sailing boat are torn.', 1),
        turn('boat', 'A sailing boat costs more every year.', 2),
        turn('boat', 'We sold the sailing boat in autumn.', 3),
        turn('mixed', 'The sailing boat needs its new mast.', 4),
        ...['Lunch was late.', 'The dog is asleep.', 'Rain again.'].map((text, at) => turn('mixed', text, 5 + at)),
        { content: 'A sailing boat needs wind.' },
      ],
    });
    const ask = async (more: object) =>
      (await call('POST', '/v1/recall', { query: 'sailing boat mast', group_by: 'session', ...more })).body.results;
    const sessions = await ask({});
    expect(sessions.map(({ session_id, count }: { session_id: string; count: number }) => [session_id, count])).toEqual(
      [
        ['boat', 4],
        ['mixed', 1],
      ],
    );
    expect(sessions[0].best).toHaveLength(3);
    expect(sessions[0].best[0]).toMatchObject({ text: 'The sailing boat needs a new mast.' });
    expect(sessions[1]).toMatchObject({ started_at: '2026-01-05T10:04:00.000Z', ended_at: '2026-01-05T10:07:00.000Z' });
    expect(sessions[0].score).toBeGreaterThan(sessions[1].score);
    expect(await ask({ limit: 1 })).toHaveLength(1);
    expect(await ask({ session_id: 'mixed' })).toMatchObject([{ session_id: 'mixed' }]);
    const [tight, ...none] = await ask({ token_budget: 10 });
    expect([tight.best.length, none]).toEqual([1, []]);
  });

  it('does not take the pieces of a note for a session', async () => {
    const { user, call } = newUser();
    const note = { workspace_id: user, tier: 'pins', mode: 'append', content: 'The heron nests by the river.' };
    const kept = await call('POST', '/v1/provider/retain', note);
    expect(kept.status).toBeLessThan(300);
    const found = (group_by: string) => call('POST', '/v1/recall', { query: 'heron', group_by });
    expect((await found('memory')).body.results).toHaveLength(1);
    expect((await found('session')).body.results).toEqual([]);
  });

  it('reads, corrects and forgets a memory of any surface by its id', async () => {
    const { user, call, recall } = newUser();
    const { body } = await call('POST', '/v1/memory/semantic', { content: 'Docker runs containers.' });
    const path = `/v1/memories/${body.id}`;
    const got = await call('GET', path);
    expect(got.body.memory).toMatchObject({ kind: 'semantic', origin: { surface: 'memory_service' } });
    const etag = got.headers.get('etag') ?? '';
    expectProblem(await call('PATCH', path, { content: 'x' }), 'MISSING_IF_MATCH');
    expectProblem(await call('PATCH', path, { content: 'x' }, { headers: { 'if-match': '"old"' } }), 'ETAG_MISMATCH');
    const headers = { 'if-match': etag };
    const changed = await call('PATCH', path, { content: 'Podman runs containers.', pin: true }, { headers });
    expect(changed.body.memory).toMatchObject({ content: 'Podman runs containers.', pin: true });
    expect(changed.headers.get('etag')).not.toBe(etag);
    expect((await call('GET', path)).body.history).toMatchObject([
      { change: 'written', surface: 'memory_service', operation: 'semantic.store', user_id: user },
      { change: 'written', surface: 'api', operation: 'memory.update', user_id: user },
    ]);
    expect((await recall('containers')).map(({ text }) => text)).toEqual(['Podman runs containers.']);
    expectProblem(await call('DELETE', path, undefined, { headers }), 'ETAG_MISMATCH');
    expect((await call('DELETE', path)).status).toBe(204);
    expectProblem(await call('GET', path), 'NOT_FOUND');
    expectProblem(await newUser().call('GET', path), 'NOT_FOUND');
  });

  it('says which record owns a piece of a note, and leaves the piece alone', async () => {
    const { user, call, recall } = newUser();
    const note = { workspace_id: user, tier: 'pins', mode: 'append', content: 'Kept in a note.' };
    await call('POST', '/v1/provider/retain', note);
    const [piece] = await recall('kept note');
    const path = `/v1/memories/${piece?.id}`;
    const answer = await call('DELETE', path);
    expectProblem(answer, 'OWNED_BY_RECORD');
    expect(answer.body.error.details).toMatchObject({ owner: 'note' });
    expectProblem(await call('PATCH', path, { content: 'x' }, { headers: { 'if-match': '*' } }), 'OWNED_BY_RECORD');
    expect(await recall('kept note')).toHaveLength(1);
  });

  it('shares a namespace with a team: others read it, only granted tokens write it', async () => {
    const [ann, bob] = [newUser(), newUser()];
    const blue = { claims: { team_id: 'blue' } };
    const written = await ann.call(
      'POST',
      '/v1/remember',
      { content: 'The team sails.', namespace: 'team:blue' },
      blue,
    );
    expect(written.status).toBe(201);
    expectProblem(await bob.remember({ content: 'x', namespace: 'team:blue' }), 'FORBIDDEN');
    const found = (await bob.call('POST', '/v1/recall', { query: 'sails' }, blue)).body.results;
    expect(found).toMatchObject([{ own: false, origin: { namespace: 'team:blue', author: ann.user } }]);
    expect(await bob.recall('sails')).toEqual([]);
    const path = `/v1/memories/${written.body.memory.id}`;
    expectProblem(await bob.call('GET', path), 'NOT_FOUND');
    const reader = await server().token({ user: bob.user, claims: { namespaces: ['team:blue'] } });
    expectProblem(await server().call({ method: 'DELETE', path, token: reader }), 'FORBIDDEN');
    const list = await server().call({ path: '/v1/memories?namespace=team:blue', token: reader });
    expect(list.body.memories).toHaveLength(1);
  });

  it('lists page by page, newest first, with filters', async () => {
    const { call, remember } = newUser();
    for (const number of [1, 2, 3])
      await remember({ content: `Entry ${number}.`, tags: [`t${number}`], external_id: `e${number}` });
    const first = (await call('GET', '/v1/memories?kind=note&limit=2')).body;
    expect(first.memories.map(({ content }: { content: string }) => content)).toEqual(['Entry 3.', 'Entry 2.']);
    const second = (await call('GET', `/v1/memories?kind=note&limit=2&cursor=${first.next_cursor}`)).body;
    expect(second.memories.map(({ content }: { content: string }) => content)).toEqual(['Entry 1.']);
    expect((await call('GET', '/v1/memories?tag=t2')).body.memories).toHaveLength(1);
    expect((await call('GET', '/v1/memories?external_id=e3')).body.memories).toHaveLength(1);
  });

  it('shows an agent only its own notes and those of its crew', async () => {
    const { user, call } = newUser();
    for (const [agent, content] of [
      ['a1', 'Notes of one, about sailing.'],
      ['a2', 'Notes of two, about sailing.'],
    ] as const) {
      await call('POST', '/v1/provider/retain', {
        workspace_id: user,
        agent_id: agent,
        tier: 'AGENT',
        mode: 'append',
        content,
      });
    }
    const asAgent = async (claims: Record<string, string>) =>
      (await call('POST', '/v1/recall', { query: 'sailing' }, { claims })).body.results.map(({ text }: Result) => text);
    expect(await asAgent({ agent_id: 'a1' })).toEqual(['Notes of one, about sailing.']);
    expect(await asAgent({ crew_id: 'c1' })).toEqual([]);
    expect(await asAgent({})).toHaveLength(2);
  });
});
