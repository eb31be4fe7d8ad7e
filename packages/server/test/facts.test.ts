import { uuidv7 } from '@memhall/core';
import { expect, it } from 'vitest';
import { describeEachDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { type Answer, useServer } from './support/server.js';

interface SentFact {
  id: string;
  value: string;
  status: string;
  [field: string]: unknown;
}

let count = 0;

/** Returns the members of a body that name the user, if the token is somebody else's. */
function actsFor(holder: string, user: string): object {
  return holder === user ? {} : { user_id: user };
}

describeEachDatabase('facts', (database) => {
  const server = useServer(database);

  /** Calls as a new user; `roles` and `claims` make another token that acts for the same user. */
  function newUser(user = `facts-${++count}`) {
    const as = (roles: string[] = [], claims: Record<string, string> = {}) => {
      const holder = roles.length > 0 ? 'somebody' : user;
      const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Answer> => {
        const token = await server().token({ user: holder, roles, claims });
        return server().call({ method, path, token, ...(body && { body: { ...body, ...actsFor(holder, user) } }) });
      };
      const put = async (attribute: string, value: string, more: object = {}): Promise<SentFact> => {
        const answer = await call('PUT', '/v1/facts', { subject: 'me', attribute, value, ...more });
        expect(answer.body).toHaveProperty('fact');
        return answer.body.fact;
      };
      const list = async (query = ''): Promise<SentFact[]> => (await call('GET', `/v1/facts?${query}`)).body.facts;
      const change = (id: string, verb: string, body: object = {}) => call('POST', `/v1/facts/${id}:${verb}`, body);
      return { call, put, list, change };
    };
    return { user, as, ...as() };
  }

  const shown = (facts: readonly SentFact[]) => facts.map(({ value, status }) => `${value} ${status}`);

  it('are corrected in one call, which can be taken back', async () => {
    const { put, list, change, call } = newUser();
    const bergen = await put('lives in', 'Bergen', { valid_from: '2015-01-01T00:00:00Z' });
    const wrong = await put('lives in', 'Oslo', { valid_from: '2020-01-01T00:00:00Z' });
    const { status, body } = await change(wrong.id, 'correct', { value: 'Tromsø', reason: 'She said so.' });
    expect(status).toBe(200);
    expect(body.fact).toMatchObject({ value: 'Tromsø', status: 'current', valid_from: wrong.valid_from });
    expect(body.retracted).toMatchObject({ id: wrong.id, status: 'retracted' });
    expect(shown(await list('include_superseded=true'))).toEqual(['Tromsø current', 'Bergen superseded']);
    const { history } = (await call('GET', `/v1/facts/${wrong.id}`)).body;
    expect(history.at(-1)).toMatchObject({ change: 'retracted', note: 'She said so.' });
    expectProblem(await change(body.fact.id, 'correct', { value: ' tromsø ' }), 'CONFLICT');
    expectProblem(await change(wrong.id, 'correct', { value: 'Moss' }), 'CONFLICT');
    expectProblem(await change(uuidv7(), 'correct', { value: 'Moss' }), 'NOT_FOUND');
    expect((await change(body.fact.id, 'undo')).status).toBe(200);
    expect((await change(wrong.id, 'undo')).status).toBe(200);
    expect(shown(await list('include_superseded=true'))).toEqual(['Oslo current', 'Bergen superseded']);
    const likes = await put('likes', 'tea');
    await put('likes', 'trains');
    await change(likes.id, 'correct', { value: 'coffee' });
    expect(shown(await list('attribute=likes')).sort()).toEqual(['coffee current', 'trains current']);
    expect(bergen.status).toBe('current');
  });

  it('are corrected by nobody who is less trusted', async () => {
    const { put, as } = newUser();
    const { id } = await put('lives in', 'Bergen');
    const agent = as([], { max_trust: 'agent' });
    expectProblem(await agent.change(id, 'correct', { value: 'Oslo' }), 'FORBIDDEN');
  });

  it('end where the next value of the same attribute begins', async () => {
    const { put, list, call } = newUser();
    const bergen = await put('lives in', 'Bergen', { valid_from: '2015-01-01T00:00:00Z' });
    expect(bergen).toEqual({
      ...{ id: bergen.id, subject: 'me', attribute: 'lives in', value: 'Bergen', text: 'me: lives in Bergen' },
      ...{ valid_from: '2015-01-01T00:00:00.000Z', valid_to: null, retracted_at: null, evidence: [] },
      ...{ recorded_at: expect.any(String), confidence: 1, trust: 'user', status: 'current' },
    });
    const oslo = await put('Lives_In', 'Oslo', { valid_from: '2020-01-01T00:00:00Z' });
    expect(shown(await list('subject=ME&attribute=home'))).toEqual(['Oslo current']);
    expect(shown(await list('include_superseded=true'))).toEqual(['Oslo current', 'Bergen superseded']);
    expect(shown(await list('as_of=2018-01-01T00:00:00Z'))).toEqual(['Bergen current']);
    expect(shown(await list('as_of=2014-01-01T00:00:00Z'))).toEqual([]);
    const { body } = await call('GET', `/v1/facts/${bergen.id}`);
    expect(body).toMatchObject({
      fact: { status: 'superseded', valid_to: '2020-01-01T00:00:00.000Z' },
      superseded_by: oslo.id,
      supersedes: [],
      history: [
        { change: 'recorded', reason: 'believed', cause: bergen.id },
        { change: 'superseded', reason: 'other_fact', cause: oslo.id },
      ],
    });
    expect((await call('GET', `/v1/facts/${oslo.id}`)).body).toMatchObject({ supersedes: [bergen.id] });
  });

  it('about an earlier time become history, and those about the future wait for their day', async () => {
    const { put, list } = newUser();
    await put('lives in', 'Bergen', { valid_from: '2015-01-01T00:00:00Z' });
    const rome = await put('lives in', 'Rome', { valid_from: '2010-01-01T00:00:00Z' });
    expect(rome).toMatchObject({ status: 'superseded', valid_to: '2015-01-01T00:00:00.000Z' });
    const oslo = await put('lives in', 'Oslo', { valid_from: '2999-01-01T00:00:00Z' });
    expect(oslo.status).not.toBe('current');
    expect(shown(await list())).toEqual(['Bergen current']);
    expect(shown(await list('as_of=2999-01-01T00:00:00Z'))).toEqual(['Oslo current']);
  });

  it('are stored once, and compared as their attribute says', async () => {
    const { put, list, call } = newUser();
    const first = await put('lives in', 'München');
    const again = await call('PUT', '/v1/facts', { subject: 'Me', attribute: 'lives  in', value: 'munich' });
    expect([again.status, again.body.fact.id]).toEqual([200, first.id]);
    await put('likes', 'tea');
    await put('likes', 'coffee');
    expect((await call('PUT', '/v1/facts', { subject: 'me', attribute: 'likes', value: ' TEA ' })).status).toBe(200);
    expect(shown(await list('attribute=loves'))).toEqual(['coffee current', 'tea current']);
    expectProblem(
      await call('PUT', '/v1/facts', { subject: 'me', attribute: 'likes', value: 'milk', mode: 'replace' }),
      'ATTRIBUTE_HOLDS_MANY',
    );
    await put('lives in', 'Turin', { mode: 'add' });
    expect(shown(await list('attribute=lives in'))).toEqual(['Turin current', 'München current']);
    await put('works at', 'Acme', { valid_from: '2020-01-01T00:00:00Z', valid_to: '2021-01-01T00:00:00Z' });
    expect(shown(await list('attribute=employer&include_superseded=true'))).toEqual(['Acme ended']);
  });

  it('of lower trust never end what a more trusted source said', async () => {
    const { as, put, list, change } = newUser();
    await put('lives in', 'Bergen', { valid_from: '2015-01-01T00:00:00Z' });
    const agent = as(['service']);
    const oslo = await agent.put('lives in', 'Oslo');
    expect(oslo).toMatchObject({ trust: 'agent', status: 'unconfirmed' });
    expect(shown(await list())).toEqual(['Oslo unconfirmed', 'Bergen current']);
    expectProblem(await agent.change(oslo.id, 'confirm'), 'FORBIDDEN');
    const [, bergen] = await list();
    expectProblem(await agent.change(bergen?.id ?? '', 'retract'), 'FORBIDDEN');
    expect((await change(oslo.id, 'confirm', { reason: 'I moved.' })).body.fact).toMatchObject({
      ...{ trust: 'user', status: 'current' },
    });
    expect(shown(await list('include_superseded=true'))).toEqual(['Oslo current', 'Bergen superseded']);
    expect(shown([(await change(oslo.id, 'undo')).body.fact])).toEqual(['Oslo unconfirmed']);
    expect(shown(await list())).toEqual(['Oslo unconfirmed', 'Bergen current']);
    expect((await change(oslo.id, 'reject')).body.fact).toMatchObject({ status: 'retracted' });
    expect(shown(await list('include_superseded=true'))).toEqual(['Bergen current']);
    expectProblem(await change(bergen?.id ?? '', 'reject'), 'CONFLICT');
    const rome = await put('lives in', 'Rome', { trust: 'external' });
    expect(rome).toMatchObject({ trust: 'external', status: 'unconfirmed' });
    const capped = as([], { max_trust: 'tool' });
    expectProblem(await capped.change(rome.id, 'confirm'), 'FORBIDDEN');
    expect(await as(['admin']).put('lives in', 'Rome')).toMatchObject({ id: rome.id, status: 'current' });
  });

  it('are listed by the memory they were made from, and by whether they wait for a decision', async () => {
    const { put, list, call } = newUser();
    const remembered = await call('POST', '/v1/remember', { content: 'I live in Bergen.' });
    const other = await call('POST', '/v1/remember', { content: 'I work at Equinor.' });
    const { id } = remembered.body.memory;
    expect(shown(await list(`evidence=${id}`))).toEqual(['Bergen current']);
    await put('lives in', 'Oslo');
    expect(await list(`evidence=${id}`)).toEqual([]);
    expect(shown(await list(`evidence=${id}&include_superseded=true`))).toEqual(['Bergen superseded']);
    expect(shown(await list(`evidence=${other.body.memory.id}`))).toEqual(['Equinor current']);
    expect(await list(`evidence=${uuidv7()}`)).toEqual([]);
    await put('lives in', 'Trondheim', { trust: 'tool' });
    expect(shown(await list('unconfirmed=true'))).toEqual(['Trondheim unconfirmed']);
  });

  it('can be retracted and undone, each with a record of why', async () => {
    const { user, put, list, change, call } = newUser();
    const bergen = await put('lives in', 'Bergen', { valid_from: '2015-01-01T00:00:00Z' });
    const oslo = await put('lives in', 'Oslo', { valid_from: '2020-01-01T00:00:00Z' });
    const before = await list('include_superseded=true');
    const retracted = (await change(oslo.id, 'retract', { reason: 'A joke.' })).body.fact;
    expect(retracted).toMatchObject({ status: 'retracted', retracted_at: expect.any(String) });
    expect((await change(oslo.id, 'retract')).body.fact).toEqual(retracted);
    expect(shown(await list('include_superseded=true'))).toEqual(['Bergen current']);
    expectProblem(await change(oslo.id, 'confirm'), 'CONFLICT');
    await change(oslo.id, 'undo');
    expect(await list('include_superseded=true')).toEqual(before);
    const rome = await put('lives in', 'Rome', { valid_from: '2023-01-01T00:00:00Z' });
    expect(shown([(await change(bergen.id, 'undo')).body.fact])).toEqual(['Bergen superseded']);
    expect(shown(await list('include_superseded=true&as_of=2022-01-01T00:00:00Z'))).toEqual(['Bergen current']);
    expect((await call('GET', `/v1/facts/${bergen.id}`)).body.superseded_by).toBe(rome.id);
    expect(shown([(await change(bergen.id, 'undo')).body.fact])).toEqual(['Bergen current']);
    await change(bergen.id, 'undo');
    expect(await list('include_superseded=true')).toEqual([]);
    expectProblem(await change(bergen.id, 'undo'), 'CONFLICT');
    const { body } = await call('GET', `/v1/facts/${oslo.id}`);
    expect(body.history).toMatchObject([
      { change: 'recorded' },
      { change: 'retracted', reason: 'on_request', note: 'A joke.' },
      { change: 'undone' },
      { change: 'superseded', cause: rome.id },
      { change: 'undone' },
    ]);
    const admin = await server().token({ roles: ['admin'] });
    const audit = await server().call({ path: `/v1/tenants/t1/users/${user}/audit?limit=100`, token: admin });
    const records = (audit.body.records as Record<string, unknown>[]).filter(
      ({ target }) => target === `fact/${bergen.id}`,
    );
    expect(records.map(({ change: step, reason }) => `${step} ${reason}`)).toEqual(
      expect.arrayContaining([
        'recorded believed',
        'superseded other_fact',
        'restored other_fact',
        'undone on_request',
      ]),
    );
  });

  it('answer what was known at any time, in the same words', async () => {
    const { put, list, change } = newUser();
    const frozen: { at: string; facts: SentFact[] }[] = [];
    const asOf = 'as_of=2998-01-01T00:00:00Z&include_superseded=true';
    const freeze = async () => {
      const at = new Date().toISOString();
      frozen.push({ at, facts: await list(`${asOf}&known_at=${at}`) });
      await new Promise((resolve) => setTimeout(resolve, 3));
    };
    await freeze();
    await put('lives in', 'Bergen', { valid_from: '2015-01-01T00:00:00Z' });
    await freeze();
    const oslo = await put('lives in', 'Oslo', { valid_from: '2020-01-01T00:00:00Z' });
    await freeze();
    await put('lives in', 'Rome', { valid_from: '2017-01-01T00:00:00Z' });
    await freeze();
    await change(oslo.id, 'retract');
    await freeze();
    await change(oslo.id, 'undo');
    await put('likes', 'tea');
    expect(frozen.map(({ facts }) => facts.length)).toEqual([0, 1, 2, 3, 2]);
    for (const { at, facts } of frozen) expect(await list(`${asOf}&known_at=${at}`)).toEqual(facts);
  });

  it('take the lowest trust of their evidence, and go with it', async () => {
    const { put, list, call } = newUser();
    const remember = async (content: string, more = {}) =>
      (await call('POST', '/v1/remember', { content, ...more })).body.memory.id as string;
    const [said, page] = [
      await remember('I moved to Oslo.'),
      await remember('He moved to Rome.', { trust: 'external' }),
    ];
    await put('lives in', 'Bergen', { valid_from: '2015-01-01T00:00:00Z' });
    const oslo = await put('lives in', 'Oslo', { evidence: [said] });
    expect(await put('lives in', 'Rome', { evidence: [page] })).toMatchObject({
      ...{ trust: 'external', status: 'unconfirmed', evidence: [page] },
    });
    const { body } = await call('GET', `/v1/facts/${oslo.id}`);
    expect(body.evidence).toMatchObject([{ id: said, text: 'I moved to Oslo.', trust: 'user', kind: 'note' }]);
    const unknown = { subject: 'me', attribute: 'likes', value: 'tea', evidence: [uuidv7()] };
    expectProblem(await call('PUT', '/v1/facts', unknown), 'NOT_FOUND');
    expect((await call('DELETE', `/v1/memories/${said}`)).status).toBe(204);
    expectProblem(await call('GET', `/v1/facts/${oslo.id}`), 'NOT_FOUND');
    expect(shown(await list())).toEqual(['Rome unconfirmed', 'Bergen current']);
    const both = await put('likes', 'tea', { evidence: [page] });
    await put('likes', 'tea');
    expect((await call('DELETE', `/v1/memories/${page}`)).status).toBe(204);
    expect(await list('attribute=likes')).toMatchObject([{ id: both.id, status: 'current', evidence: [] }]);
  });

  it('belong to their user, are listed in pages, and contain no secrets', async () => {
    const { put, call, list } = newUser();
    const values = ['one', 'two', 'three', 'four', 'five'];
    for (const value of values) await put('number', value);
    const first = (await call('GET', '/v1/facts?limit=3')).body;
    const second = (await call('GET', `/v1/facts?limit=3&cursor=${first.next_cursor}`)).body;
    expect([...first.facts, ...second.facts].map(({ value }: SentFact) => value)).toEqual([...values].reverse());
    expect(second.next_cursor).toBeUndefined();
    const other = newUser();
    const [{ id } = { id: '' }] = await list();
    expectProblem(await other.call('GET', `/v1/facts/${id}`), 'NOT_FOUND');
    expectProblem(await other.change(id, 'retract'), 'NOT_FOUND');
    expect(await other.list()).toEqual([]);
    expect((await put('key', `AKIA${'IOSFODNN7EXAMPLE'}`)).value).not.toContain('IOSFODNN7');
    const bad = { subject: 'me', attribute: 'likes', value: 'tea' };
    for (const fault of [
      { value: ' ' },
      { value: 'x'.repeat(2001) },
      { subject: '' },
      { attribute: 'x'.repeat(101) },
      { confidence: 2 },
      { valid_to: '2001-01-01T00:00:00Z' },
      { valid_from: '2001-02-30T00:00:00Z' },
    ]) {
      expectProblem(await call('PUT', '/v1/facts', { ...bad, ...fault }), 'INVALID_REQUEST');
    }
    expectProblem(await call('PUT', '/v1/facts', { ...bad, colour: 'red' }), 'UNKNOWN_FIELD');
    expectProblem(await call('GET', '/v1/facts?limit=101'), 'INVALID_REQUEST');
  });

  it('follow the attributes that a tenant defines', async () => {
    const admin = await server().token({ user: 'boss', roles: ['admin'] });
    const attribute = (name: string) => `/v1/tenants/t1/attributes/${encodeURIComponent(name)}`;
    const read = await server().call({ path: attribute('lives_in'), token: admin });
    expect(read.body).toMatchObject({ name: 'lives in', single: true, ends_alone: true });
    expectProblem(await server().call({ path: attribute('lucky charm'), token: admin }), 'NOT_FOUND');
    const body = { single: true, synonyms: ['talisman'], patterns: ['my lucky charm is {value}'] };
    const put = { method: 'PUT', path: attribute('lucky charm'), token: admin } as const;
    expect((await server().call({ ...put, body })).body).toEqual({
      ...{ name: 'lucky charm', ends_alone: true },
      ...body,
    });
    expectProblem(await server().call({ ...put, body: { patterns: ['(a+)+'] } }), 'INVALID_REQUEST');
    const user = newUser();
    await user.put('lucky charm', 'red');
    await user.put('talisman', 'blue');
    expect(shown(await user.list('include_superseded=true'))).toEqual(['blue current', 'red superseded']);
    expectProblem(await user.call('PUT', attribute('x'), { single: true }), 'FORBIDDEN');
  });
});
