import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { type Answer, useServer } from './support/server.js';

let count = 0;

describeOneDatabase('known_at', (database) => {
  const server = useServer(database);

  function newUser(user = `known-${++count}`) {
    const call = async (
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      path: string,
      body?: object,
      headers: Record<string, string> = {},
    ): Promise<Answer> => {
      const token = await server().token({ user });
      return server().call({ method, path, token, headers, ...(body && { body }) });
    };
    const remember = async (content: string, more: object = {}): Promise<string> =>
      (await call('POST', '/v1/remember', { content, ...more })).body.memory.id;
    const change = (id: string, body: object) => call('PATCH', `/v1/memories/${id}`, body, { 'if-match': '*' });
    const put = async (attribute: string, value: string, more: object = {}): Promise<string> =>
      (await call('PUT', '/v1/facts', { subject: 'me', attribute, value, ...more })).body.fact.id;
    const texts = async (query: string, more: object = {}): Promise<string[]> =>
      (await call('POST', '/v1/recall', { query, ...more })).body.results.map(({ text }: { text: string }) => text);
    return { user, call, remember, change, put, texts };
  }

  const queries: object[] = [
    { query: 'Where do I live?', explain: true },
    { query: 'Where did I live before Oslo?' },
    { query: 'When did I move?', include_superseded: true },
    { query: 'tea', tags: ['drink'], explain: true },
    { query: 'What do I drink?', group_by: 'session' },
    { query: 'my tea and where I live', limit: 2, kinds: ['note', 'episodic'] },
  ];

  it('answers as it did at the time, whatever was written since', async () => {
    const { user, call, remember, change, put } = newUser();
    const frozen: { at: string; answers: string[] }[] = [];
    const ask = async (times: object) => {
      const answers = [];
      for (const query of queries) answers.push(await call('POST', '/v1/recall', { ...query, ...times }));
      answers.push(
        await call(
          'GET',
          `/v1/facts?include_superseded=true${'known_at' in times ? `&known_at=${times.known_at}&as_of=${times.known_at}` : ''}`,
        ),
      );
      return answers.map(({ status, body }) => {
        expect(status).toBe(200);
        return JSON.stringify(body);
      });
    };
    const freeze = async () => {
      await setTimeout(5);
      const at = new Date().toISOString();
      await setTimeout(5);
      frozen.push({ at, answers: await ask({}) });
      await setTimeout(5);
    };

    await freeze();
    const bergen = await remember('I live in Bergen', { session_id: 's1' });
    const tea = await remember('I drink tea with milk', { tags: ['drink'], kind: 'episodic', session_id: 's1' });
    await remember('I drink tea with lemon', { tags: ['drink'], kind: 'episodic', session_id: 's2' });
    await freeze();
    await put('lives in', 'Bergen', { valid_from: '2015-01-01T00:00:00Z', evidence: [bergen] });
    const other = await remember('I drink coffee at work', { kind: 'episodic', session_id: 's2' });
    await freeze();
    const oslo = await remember('I moved to Oslo last week');
    const fact = await put('lives in', 'Oslo', { valid_from: '2024-01-01T00:00:00Z', evidence: [oslo] });
    await freeze();
    await change(tea, { content: 'I drink tea without milk' });
    await change(other, { tags: ['drink'], pin: true });
    await freeze();
    await call('POST', `/v1/facts/${fact}:retract`, {});
    await change(tea, { content: 'I drink no tea at all', tags: [] });
    await freeze();
    await call('POST', `/v1/facts/${fact}:undo`, {});
    for (let number = 0; number < 5; number++) await remember(`I live in a tea house, number ${number}`);
    await freeze();

    expect(new Set(frozen.map(({ answers }) => answers.join())).size).toBe(frozen.length);
    for (const { at, answers } of frozen) expect(await ask({ known_at: at })).toEqual(answers);
    expect(user).toBeTruthy();
  });

  it('does not bring back what was removed or has expired', async () => {
    const { call, remember, change, texts } = newUser();
    const gone = await remember('The code of the door is four');
    const short = await remember('The code of the bike is five');
    await change(gone, { content: 'The code of the door is six' });
    await setTimeout(5);
    const at = new Date().toISOString();
    await setTimeout(5);
    await change(gone, { content: 'The code of the door is seven' });
    expect((await texts('the code', { known_at: at })).sort()).toEqual([
      'The code of the bike is five',
      'The code of the door is six',
    ]);
    await call('DELETE', `/v1/memories/${gone}`);
    await change(short, { expires_at: new Date(Date.now() + 50).toISOString() });
    await setTimeout(60);
    expect(await texts('the code', { known_at: at })).toEqual([]);
    expectProblem(await call('POST', '/v1/recall', { query: 'x', known_at: 'yesterday' }), 'INVALID_REQUEST');
  });

  it('answers with documents, their facts and the context as they were', async () => {
    const { user, call, remember } = newUser();
    const base = `/v1/tenants/t1/users/${user}`;
    const path = `${base}/documents/user/user_dynamic.json`;
    const profile = { profile_id: 'project-copilot-v1' };
    const write = async (...ops: object[]) => {
      const body = { ...profile, binding_id: 'user_dynamic', reason: 'live_update', evidence: { by: 'hand' }, ops };
      const headers = { 'if-match': '*', 'idempotency-key': `k-${++count}` };
      expect((await call('PATCH', path, body, headers)).status).toBe(200);
    };
    const add = (place: string, value: unknown) => ({ op: 'add', path: `/content/${place}`, value });
    const entry = (text: string) => ({ text, confidence: 0.9, evidence: {}, last_verified_at: '2026-01-01T00:00:00Z' });
    const ask = async (at?: string) => {
      const both = at === undefined ? '' : `&known_at=${at}&as_of=${at}`;
      const answers = [
        await call('GET', `${path}?profile_id=project-copilot-v1${at === undefined ? '' : `&known_at=${at}`}`),
        await call('GET', `${path}?${at === undefined ? '' : `as_of=${at}`}`),
        await call('GET', `/v1/facts?include_superseded=true${both}`),
        await call('POST', `${base}/context:assemble`, { ...profile, ...(at && { known_at: at }) }),
        await call('POST', `${base}/context:assemble`, { ...profile, query: 'tea', ...(at && { known_at: at }) }),
      ];
      return answers.map(({ status, body }) => {
        const { request_id: _, ...error } = body.error ?? {};
        return JSON.stringify([status, body.error === undefined ? body : error]);
      });
    };
    const frozen: { at: string; answers: string[] }[] = [];
    const freeze = async () => {
      await setTimeout(5);
      const at = new Date().toISOString();
      await setTimeout(5);
      frozen.push({ at, answers: await ask() });
      await setTimeout(5);
    };

    await freeze();
    await remember('I drink tea with milk');
    await write(add('preferences/-', 'Short answers.'));
    await freeze();
    await write(add('durable_facts/-', entry('I live in Bergen')));
    await freeze();
    await remember('I drink tea with lemon');
    await write(add('durable_facts/-', entry('I moved to Oslo yesterday')));
    await freeze();
    for (let version = 0; version < 40; version++)
      await write(add('projects_index', [{ project_id: `p${version % 2}` }]));
    await freeze();
    await write(add('preferences/-', 'Rain.'));

    expect(new Set(frozen.map(({ answers }) => answers.join())).size).toBe(frozen.length);
    for (const { at, answers } of frozen) expect(await ask(at)).toEqual(answers);
  });
});
