import { expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { type Answer, useServer } from './support/server.js';

interface SentFact {
  id: string;
  subject: string;
  attribute: string;
  value: string;
  status: string;
  valid_from: string;
  valid_to: string | null;
  trust: string;
  evidence: string[];
}

let count = 0;

describeOneDatabase('facts that texts state', (database) => {
  const server = useServer(database);

  /** Calls as a new user. */
  function newUser() {
    const user = `learned-${++count}`;
    const call = async (
      method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH',
      path: string,
      body?: object,
    ): Promise<Answer> => server().call({ method, path, token: await server().token({ user }), ...(body && { body }) });
    /** Remembers what was said on a day of 2026. */
    const say = async (content: string, day: string, more: object = {}): Promise<string> => {
      const body = { content, occurred_at: `2026-${day}T12:00:00Z`, ...more };
      return (await call('POST', '/v1/remember', body)).body.memory.id;
    };
    const facts = async (query = ''): Promise<SentFact[]> =>
      (await call('GET', `/v1/facts?include_superseded=true&${query}`)).body.facts;
    /** As "value status", last recorded first. */
    const list = async (attribute: string, more = '') =>
      (await facts(`attribute=${attribute}&${more}`)).map(({ value, status }) => `${value} ${status}`);
    return { user, call, say, facts, list };
  }

  it('of one attribute are compared with each other, so only the last ones of a write are learned', async () => {
    const { call } = newUser();
    const memories = Array.from({ length: 8 }, (_, text) => ({
      content: Array.from({ length: 100 }, (_, index) => `My phone number is ${10_000 + 100 * text + index}.`).join(
        ' ',
      ),
    }));
    expect((await call('POST', '/v1/remember', { memories })).status).toBe(201);
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await call('GET', `/v1/facts?include_superseded=true&limit=100${cursor}`);
      found.push(...body.facts.map(({ value, status }: SentFact) => `${value} ${status}`));
      if (!body.next_cursor) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(found.slice(0, 2)).toEqual(['10799 current', '10798 superseded']);
    expect(found.at(-1)).toBe('10252 superseded');
  });

  it('are known as soon as the text is stored, and end where the next value begins', async () => {
    const { say, facts, list } = newUser();
    const bergen = await say('I live in Bergen.', '10-01');
    expect(await facts()).toMatchObject([
      { subject: 'me', attribute: 'lives in', value: 'Bergen', status: 'current', trust: 'user', evidence: [bergen] },
    ]);
    await say('I moved to Oslo last week, no longer in Bergen.', '11-18');
    expect(await list('lives in')).toEqual(['Oslo current', 'Bergen superseded']);
    expect((await facts()).map(({ valid_from, valid_to }) => [valid_from, valid_to])).toEqual([
      ['2026-11-09T00:00:00.000Z', null],
      ['2026-10-01T12:00:00.000Z', '2026-11-09T00:00:00.000Z'],
    ]);
    await say('What a nice day it was.', '11-19');
    expect(await facts()).toHaveLength(2);
  });

  it('are true since the time that was named, whatever was said before without one', async () => {
    const { say, facts, list, call } = newUser();
    await say('I live in Bergen.', '11-18');
    const oslo = await say('I moved to Oslo last week.', '11-18');
    expect(await list('lives in')).toEqual(['Oslo current', 'Bergen superseded']);
    const times = async () => (await facts()).map(({ value, valid_from, valid_to }) => [value, valid_from, valid_to]);
    expect(await times()).toEqual([
      ['Oslo', '2026-11-09T00:00:00.000Z', null],
      ['Bergen', '2026-11-08T00:00:00.000Z', '2026-11-09T00:00:00.000Z'],
    ]);
    expect(await list('lives in', 'as_of=2026-11-10T00:00:00Z')).toEqual(['Oslo current', 'Bergen superseded']);
    const page = (await call('GET', '/v1/subjects/me')).body;
    expect(page.timeline.map((entry: { at: string }) => entry.at.slice(0, 10))).toEqual([
      ...['2026-11-08', '2026-11-09', '2026-11-09'],
    ]);
    await call('DELETE', `/v1/memories/${oslo}`);
    expect(await times()).toEqual([['Bergen', '2026-11-18T12:00:00.000Z', null]]);
  });

  it('begin before they ended', async () => {
    const { say, facts } = newUser();
    await say('I work at Lidl.', '05-05');
    await say('I quit my job on Monday.', '05-06');
    expect(await facts()).toMatchObject([
      { value: 'Lidl', valid_from: '2026-05-03T00:00:00.000Z', valid_to: '2026-05-04T00:00:00.000Z' },
    ]);
  });

  it('are history if a time with its year is named that came before', async () => {
    const { say, list } = newUser();
    await say('I live in Porto.', '05-05');
    await say('In 2012 I moved to Braga.', '05-09');
    expect(await list('lives in')).toEqual(['Braga superseded', 'Porto current']);
  });

  it('end without a successor, and go on if that is forgotten', async () => {
    const { say, list, call } = newUser();
    await say('I work at Siemens as a welder.', '03-01');
    const quit = await say('I quit my job yesterday.', '05-02');
    expect(await list('works at')).toEqual(['Siemens ended']);
    expect(
      (await call('GET', `/v1/facts/${(await call('GET', '/v1/facts?include_superseded=true')).body.facts[0].id}`))
        .body,
    ).toMatchObject({
      history: [{ change: 'recorded' }, { change: 'amended', reason: 'said_over' }],
    });
    await call('DELETE', `/v1/memories/${quit}`);
    expect(await list('works at')).toEqual(['Siemens current']);
  });

  it('go with their text, and what they had ended is current again', async () => {
    const { say, list, call } = newUser();
    await say('I live in Bergen.', '01-01');
    const oslo = await say('I live in Oslo now.', '02-01');
    await call('DELETE', `/v1/memories/${oslo}`);
    expect(await list('lives in')).toEqual(['Bergen current']);
  });

  it('follow the text when it is written again', async () => {
    const { say, list } = newUser();
    await say('I live in Bergen.', '01-01', { external_id: 'home' });
    await say('I live in Oslo.', '02-01', { external_id: 'home' });
    expect(await list('lives in')).toEqual(['Oslo current']);
  });

  it('can be undone', async () => {
    const { say, list, facts, call } = newUser();
    await say('I live in Bergen.', '01-01');
    await say('I live in Rome.', '02-01');
    const [rome] = await facts();
    await call('POST', `/v1/facts/${rome?.id}:undo`, {});
    expect(await list('lives in')).toEqual(['Bergen current']);
  });

  it('wait for confirmation if it is not clear what was meant, and end nothing', async () => {
    const { say, list } = newUser();
    await say('I live in Bergen.', '01-01');
    await say('Bob says I live in Rome.', '02-01');
    await say('If I lived in Paris, I would be happy.', '02-02');
    await say("I'd love to move to Lisbon.", '02-03');
    await say('Do I live in Berlin?', '02-04');
    await say('I live in Oslo, but only during the summer.', '02-05');
    expect((await list('lives in')).sort()).toEqual(['Bergen current', 'Oslo unconfirmed', 'Rome unconfirmed']);
  });

  it('have the trust of their text', async () => {
    const { say, list, facts } = newUser();
    await say('I live in Bergen.', '01-01');
    await say('You live in Rome.', '02-01', { role: 'assistant' });
    await say('I live in Cairo.', '02-02', { trust: 'external' });
    expect((await list('lives in')).sort()).toEqual(['Bergen current', 'Cairo unconfirmed', 'Rome unconfirmed']);
    expect((await facts()).map(({ value, trust }) => `${value} ${trust}`).sort()).toEqual([
      'Bergen user',
      'Cairo external',
      'Rome agent',
    ]);
  });

  it('are about others if the text is', async () => {
    const { say, facts } = newUser();
    await say('My sister lives in Bonn. Anna told me she moved to Paris.', '01-01');
    expect((await facts()).map(({ subject, value }) => `${subject}: ${value}`).sort()).toEqual([
      'Anna: Paris',
      'my sister: Bonn',
    ]);
  });

  it('are read with the patterns of the tenant', async () => {
    const { say, facts } = newUser();
    const admin = await server().token({ roles: ['admin'] });
    await server().call({
      method: 'PUT',
      path: '/v1/tenants/t1/attributes/shoe%20size',
      token: admin,
      body: { single: true, patterns: ['I wear size {value}', '{subject} is fitted with {value} tyres'] },
    });
    await say('I wear size 43 now.', '01-01');
    await say('The red van is fitted with winter tyres.', '01-02');
    expect((await facts()).map(({ subject, attribute, value }) => `${subject}: ${attribute} ${value}`)).toEqual([
      'red van: shoe size winter',
      'me: shoe size 43',
    ]);
  });

  it('are not read in other namespaces, nor in texts of tools', async () => {
    const { say, facts, user } = newUser();
    await say('I live in Bergen.', '01-01', { role: 'tool' });
    await say('Do this: I live in Bergen.', '01-01', { kind: 'procedural' });
    expect(await facts()).toEqual([]);
    await say('I live in Bergen.', '01-01', { namespace: `workspace:${user}` });
    expect(await facts()).toHaveLength(1);
  });

  it('are learned from episodic entries and what agents commit, with the trust of who speaks', async () => {
    const { call, list, facts } = newUser();
    const log = { agent_id: 'a', session_id: 's', role: 'user', content: 'I live in Bergen.' };
    const [entry] = [(await call('POST', '/v1/memory/episodic', log)).body];
    expect(await list('lives in')).toEqual(['Bergen current']);
    const tool = { name: 'commit_memory', arguments: { content: 'The user lives in Rome and works at Siemens.' } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool };
    expect((await call('POST', '/mcp', body)).status).toBe(200);
    expect((await facts()).map(({ value, status, trust }) => `${value} ${status} ${trust}`)).toEqual([
      'Siemens current agent',
      'Rome unconfirmed agent',
      'Bergen current user',
    ]);
    await call('DELETE', `/v1/memories/${entry.id}`);
    expect(await list('lives in')).not.toContain('Bergen current');
  });

  it('follow a change of the text', async () => {
    const { say, call, list } = newUser();
    const id = await say('I live in Bergen.', '01-01');
    const token = await server().token({ user: `learned-${count}` });
    const { headers } = await server().call({ path: `/v1/memories/${id}`, token });
    const etag = headers.get('etag') ?? '';
    const changed = { content: 'I live in Oslo.' };
    await server().call({
      method: 'PATCH',
      path: `/v1/memories/${id}`,
      token,
      body: changed,
      headers: { 'If-Match': etag },
    });
    expect(await list('lives in')).toEqual(['Oslo current']);
    await call('DELETE', `/v1/memories/${id}`);
    expect(await list('lives in')).toEqual([]);
  });
});
