import { OneMemoryClient } from '@memhall/client/one-memory';
import { expect, it } from 'vitest';
import { flagsOf, runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { useServer } from './support/server.js';

let count = 0;

describeOneDatabase('subjects', (database) => {
  const server = useServer(database);

  /** Calls as a new user; `roles` make a second token that acts for the same user. */
  async function newUser(user = `subjects-${++count}`) {
    const as = async (roles: string[] = []) => {
      const token = await server().token({ user: roles.length > 0 ? 'somebody' : user, roles });
      const userId = roles.length > 0 ? { user_id: user } : {};
      const put = async (subject: string, attribute: string, value: string, more: object = {}) => {
        const body = { subject, attribute, value, ...more, ...userId };
        const answer = await server().call({ method: 'PUT', path: '/v1/facts', token, body });
        expect(answer.body).toHaveProperty('fact');
        return answer.body.fact;
      };
      const get = (path: string) => server().call({ path: `/v1/${path}`, token });
      const post = (path: string, body: object) =>
        server().call({ method: 'POST', path: `/v1/${path}`, token, body: { ...body, ...userId } });
      const merge = (subject: string, alias: string) =>
        post(`subjects/${encodeURIComponent(subject)}:merge`, { with: alias });
      const split = (subject: string, alias: string) =>
        post(`subjects/${encodeURIComponent(subject)}:split`, { alias });
      return { put, get, post, merge, split };
    };
    return { user, as, ...(await as()) };
  }

  const since = (year: number) => ({ valid_from: `${year}-01-01T00:00:00Z` });
  const shown = (facts: { subject: string; value: string; status: string }[]) =>
    facts.map(({ subject, value, status }) => `${subject} ${value} ${status}`);

  it('have a page: what is true, what happened, and who says so', async () => {
    const { put, get, post } = await newUser();
    const said = (await post('remember', { content: 'The move to Oslo went well.' })).body.memory.id;
    const bergen = await put('Anna', 'lives in', 'Bergen', since(2015));
    const oslo = await put('anna', 'lives in', 'Oslo', { ...since(2020), evidence: [said] });
    const tea = await put('Anna', 'likes', 'tea', since(2018));
    await put('Boris', 'likes', 'coffee');
    expectProblem(await get('subjects/Carl'), 'NOT_FOUND');
    const { body } = await get('subjects/ANNA');
    expect(body).toMatchObject({ subject: 'Anna', aliases: [], shortened: false });
    expect(body.facts.map(({ id }: { id: string }) => id)).toEqual([tea.id, oslo.id]);
    expect(
      body.timeline.map(({ at, event, text }: Record<string, string>) => `${at?.slice(0, 4)} ${event} ${text}`),
    ).toEqual([
      '2015 began Anna: lives in Bergen',
      '2018 began Anna: likes tea',
      '2020 superseded Anna: lives in Bergen',
      '2020 began anna: lives in Oslo',
    ]);
    expect(body.timeline[2]).toMatchObject({ fact_id: bergen.id, superseded_by: oslo.id, trust: 'user' });
    expect(body.timeline[3]).toMatchObject({ evidence: [said] });
    expect(body.sources).toMatchObject([
      { id: said, text: 'The move to Oslo went well.', facts: [oslo.id], trust: 'user' },
    ]);
    const then = (await get('subjects/Anna?as_of=2016-01-01T00:00:00Z')).body;
    expect(shown(then.facts)).toEqual(['Anna Bergen current']);
    expect(then.sources).toEqual([]);
    expectProblem(await get('subjects/Anna?known_at=2016-01-01T00:00:00Z'), 'NOT_FOUND');
    expect((await get('subjects')).body).toEqual({
      subjects: [
        { subject: 'Anna', aliases: [], facts: 3, current: 2 },
        { subject: 'Boris', aliases: [], facts: 1, current: 1 },
      ],
    });
    const first = (await get('subjects?limit=1')).body;
    expect((await get(`subjects?limit=1&cursor=${first.next_cursor}`)).body.subjects).toMatchObject([
      { subject: 'Boris' },
    ]);
    expectProblem(await (await newUser()).get('subjects/Anna'), 'NOT_FOUND');
  });

  it('are merged and split again, and everything is as before', async () => {
    const { user, put, get, merge, split, post } = await newUser();
    await put('Anna', 'lives in', 'Bergen', since(2015));
    const oslo = await put('Mum', 'lives in', 'Oslo', since(2020));
    await put('my mother', 'likes', 'tea', since(2018));
    const all = 'facts?include_superseded=true';
    const before = (await get(all)).body;
    const merged = (await merge('Mum', 'my mother')).body;
    expect(merged).toMatchObject({ subject: 'Mum', aliases: ['my mother'] });
    const page = (await merge('anna', 'mum')).body;
    expect([page.subject, page.aliases]).toEqual(['Anna', ['Mum', 'my mother']]);
    expect(shown(page.facts)).toEqual(['my mother tea current', 'Mum Oslo current']);
    expect((await get('subjects/My%20%20Mother')).body).toEqual(page);
    expect(shown((await get(`${all}&subject=my mother&attribute=lives in`)).body.facts)).toEqual([
      'Mum Oslo current',
      'Anna Bergen superseded',
    ]);
    expect((await get('subjects')).body.subjects).toEqual([
      { subject: 'Anna', aliases: ['Mum', 'my mother'], facts: 3, current: 2 },
    ]);
    expect((await merge('my mother', 'Anna')).body).toEqual(page);
    expectProblem(await split('Mum', 'Anna'), 'CONFLICT');
    expectProblem(await split('Anna', 'Granny'), 'NOT_FOUND');
    expectProblem(await merge('Nobody', 'Anna'), 'NOT_FOUND');
    const [, bergen] = (await get(`${all}&attribute=lives in`)).body.facts;
    expectProblem(await post(`facts/${bergen.id}:undo`, {}), 'CONFLICT');
    expect((await get(`facts/${bergen.id}`)).body.history.at(-1)).toMatchObject({
      ...{ change: 'superseded', reason: 'subjects_merged' },
    });

    const rest = (await split('Anna', 'mum')).body;
    expect([rest.subject, rest.aliases, shown(rest.facts)]).toEqual(['Anna', [], ['Anna Bergen current']]);
    expect((await get('subjects/my%20mother')).body).toMatchObject({ subject: 'Mum', aliases: ['my mother'] });
    await split('Mum', 'my mother');
    expect((await get(all)).body).toEqual(before);
    expect((await post(`facts/${bergen.id}:undo`, {})).body.fact).toMatchObject({ status: 'retracted' });
    expect((await post(`facts/${oslo.id}:retract`, {})).status).toBe(200);
    const admin = await server().token({ roles: ['admin'] });
    const audit = await server().call({ path: `/v1/tenants/t1/users/${user}/audit?limit=100`, token: admin });
    const records = (audit.body.records as { target: string; change?: string; operation: string }[])
      .filter(({ target }) => target.startsWith('subject-names/'))
      .map(({ operation, change }) => `${operation} ${change}`);
    expect(records.sort()).toEqual([
      ...['subjects.merge merged', 'subjects.merge merged', 'subjects.split split', 'subjects.split split'],
    ]);
    expect(JSON.stringify(audit.body)).not.toMatch(/mother/i);
  });

  it('take statements under an alias on one timeline, and let them stay with the alias', async () => {
    const { put, get, merge, split } = await newUser();
    await put('Anna', 'works at', 'Acme', since(2015));
    await merge('Anna', 'my boss');
    expect((await get('subjects/my%20boss')).body).toMatchObject({ subject: 'Anna', aliases: ['my boss'] });
    const beta = await put('My boss', 'employer', 'Beta', since(2020));
    expect(beta).toMatchObject({ subject: 'My boss', status: 'current' });
    expect(shown((await get('subjects/Anna')).body.facts)).toEqual(['My boss Beta current']);
    await split('Anna', 'my boss');
    expect(shown((await get('facts')).body.facts)).toEqual(['My boss Beta current', 'Anna Acme current']);
  });

  it('do not let a less trusted fact end what a more trusted source said, nor an agent merge what would', async () => {
    const { as, put, get, merge, split, post } = await newUser();
    const agent = await as(['service']);
    await put('Anna', 'lives in', 'Bergen', since(2015));
    const oslo = await agent.put('Mum', 'lives in', 'Oslo', since(2020));
    await put('Granny', 'lives in', 'Rome', since(2021));
    expect(oslo).toMatchObject({ trust: 'agent', status: 'current' });
    expectProblem(await agent.merge('Anna', 'Granny'), 'FORBIDDEN');
    const before = (await get('facts')).body.facts;
    expect(shown((await agent.merge('Anna', 'Mum')).body.facts)).toEqual([
      'Anna Bergen current',
      'Mum Oslo unconfirmed',
    ]);
    expect((await get(`facts/${oslo.id}`)).body.history.at(-1)).toMatchObject({ change: 'disputed' });
    expectProblem(await agent.post(`facts/${oslo.id}:undo`, {}), 'CONFLICT');
    expectProblem(await agent.post(`facts/${oslo.id}:confirm`, {}), 'FORBIDDEN');
    await agent.split('Anna', 'Mum');
    expect((await get('facts')).body.facts).toEqual(before);
    await merge('Anna', 'Mum');
    expectProblem(await agent.split('Anna', 'Mum'), 'FORBIDDEN');
    await post(`facts/${oslo.id}:confirm`, {});
    expect(shown((await get('subjects/Anna')).body.facts)).toEqual(['Mum Oslo current']);
    await split('Anna', 'Mum');
    expect(shown((await get('facts')).body.facts)).toEqual([
      'Granny Rome current',
      'Mum Oslo current',
      'Anna Bergen current',
    ]);
  });

  it('answer with the names and facts of then', async () => {
    const { put, get, merge, split } = await newUser();
    const frozen: { at: string; answers: unknown[] }[] = [];
    const ask = async (at: string) => {
      const times = `as_of=2998-01-01T00:00:00Z&known_at=${at}`;
      const paths = ['subjects?', 'subjects/Anna?', 'subjects/Mum?', 'facts?include_superseded=true&subject=Mum&'];
      const answers = await Promise.all(paths.map((path) => get(`${path}${times}`)));
      return answers.map(({ status, body }) => (status === 200 ? body : status));
    };
    const freeze = async () => {
      const at = new Date().toISOString();
      frozen.push({ at, answers: await ask(at) });
      await new Promise((resolve) => setTimeout(resolve, 3));
    };
    await put('Anna', 'lives in', 'Bergen', since(2015));
    await freeze();
    await put('Mum', 'lives in', 'Oslo', since(2020));
    await freeze();
    await merge('Anna', 'Mum');
    await freeze();
    await put('Mum', 'likes', 'tea');
    await freeze();
    await split('Anna', 'Mum');
    await freeze();
    await merge('Mum', 'Anna');
    expect(new Set(frozen.map(({ answers }) => JSON.stringify(answers))).size).toBe(5);
    for (const { at, answers } of frozen) expect(await ask(at)).toEqual(answers);
  });

  it('are read and merged with the client and the command', async () => {
    const { user, put } = await newUser();
    const client = new OneMemoryClient({ baseUrl: server().url, token: await server().token({ user }) });
    await put('Anna / Mum: 50%', 'lives in', 'Bergen', since(2015));
    await put('Mum', 'lives in', 'Oslo', since(2020));
    expect(await client.mergeSubjects('Anna / Mum: 50%', 'Mum')).toMatchObject({ aliases: ['Mum'] });
    expect(await client.getSubject('Nobody')).toBeNull();
    const who = ['--tenant', 't1', '--user', user, ...flagsOf(database())];
    const table = await runCommand(['subjects', ...who]);
    expect(table).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: 'SUBJECT          CURRENT  PAST  ALSO CALLED\nAnna / Mum: 50%  1        1     Mum\n',
    });
    const page = await client.getSubject('Mum');
    expect(JSON.parse((await runCommand(['subjects', 'show', 'Mum', '--json', ...who])).stdout)).toEqual(page);
    const text = await runCommand(['subjects', 'show', 'mum', ...who]);
    expect(text.stdout).toMatch(
      /^Anna \/ Mum: 50%, also called Mum\n\nID .*FACT\n.*current +user +Mum: lives in Oslo\n/,
    );
    expect(text.stdout).toMatch(/What happened\n(.*\n)+.*2020-01-01 +superseded +lives in Bergen\n/);
    const facts = await runCommand(['facts', '--subject', 'Mum', '--past', ...who]);
    expect(facts.stdout).toMatch(/2015-01-01 +2020-01-01 +superseded +user +Anna \/ Mum: 50%: lives in Bergen\n$/);
    expect((await runCommand(['facts', '--attribute', 'none', ...who])).stderr).toMatch(/no such facts/);
    const nobody = ['--tenant', 't1', '--user', `${user}-empty`, ...flagsOf(database())];
    expect((await runCommand(['facts', ...nobody])).stderr).toMatch(/^There are no facts that hold now\. Remember one/);
    await runCommand(['subjects', 'split', 'Mum', 'mum', ...who]);
    const names = [];
    for await (const { subject, aliases } of client.allSubjects({}, { limit: 1 })) names.push([subject, aliases]);
    expect(names).toEqual([
      ['Anna / Mum: 50%', []],
      ['Mum', []],
    ]);
    await runCommand(['subjects', 'merge', 'Mum', 'Anna / Mum: 50%', ...who]);
    expect(await client.splitSubject('Mum', 'anna / mum: 50%')).toMatchObject({ subject: 'Mum', aliases: [] });
  });
});
