import { randomUUID } from 'node:crypto';
import { OneMemoryClient } from '@memhall/client/one-memory';
import { expect, it } from 'vitest';
import { flagsOf, runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { pastEverything } from './support/past-everything.js';
import { type Call, useServer } from './support/server.js';

let count = 0;

describeOneDatabase('taking back a source', (database) => {
  const server = useServer(database);

  /** Calls of a new user, of two agents that act for the user, and of an administrator. */
  async function newCase() {
    const number = ++count;
    const user = `reverted-${number}`;
    const names = { helper: `helper-${number}`, scraper: `scraper-${number}` };
    const tokens = {
      user: await server().token({ user }),
      helper: await server().token({ user: names.helper, roles: ['service'] }),
      scraper: await server().token({ user: names.scraper, roles: ['service'] }),
      admin: await server().token({ user: 'root', roles: ['admin'] }),
    };
    const as = async (who: keyof typeof tokens, call: Omit<Call, 'token'>) => {
      const isAgent = who === 'helper' || who === 'scraper';
      const body = call.body === undefined ? {} : { body: { ...call.body, ...(isAgent && { user_id: user }) } };
      const answer = await server().call({ ...call, ...body, token: tokens[who] });
      expect([call.path, answer.status < 300 ? 200 : answer.body]).toEqual([call.path, 200]);
      return answer.body;
    };
    const remember = async (who: keyof typeof tokens, content: string): Promise<string> =>
      (await as(who, { method: 'POST', path: '/v1/remember', body: { content } })).memory.id;
    const state = async (who: keyof typeof tokens, attribute: string, value: string, more: object = {}) =>
      (await as(who, { method: 'PUT', path: '/v1/facts', body: { subject: 'me', attribute, value, ...more } })).fact;
    const patch = (who: keyof typeof tokens, ops: object[]) =>
      server().call({
        method: 'PATCH',
        path: `/v1/tenants/t1/users/${user}/documents/user/user_dynamic.json`,
        headers: { 'if-match': '*', 'idempotency-key': randomUUID() },
        token: tokens[who],
        body: { profile_id: 'project-copilot-v1', binding_id: 'user_dynamic', reason: 'live_update', ops },
      });
    const preferences = async () =>
      (await as('user', { path: `/v1/tenants/t1/users/${user}/documents/user/user_dynamic.json` })).document.content
        .preferences;
    const facts = async () => (await as('user', { path: '/v1/facts?include_superseded=true&limit=100' })).facts;
    const memories = async () => (await as('user', { path: '/v1/memories?limit=100' })).memories;
    const recalled = async (query: string) =>
      (await as('user', { method: 'POST', path: '/v1/recall', body: { query } })).results.map(
        ({ text }: { text: string }) => text,
      );
    const client = new OneMemoryClient({ baseUrl: server().url, token: tokens.admin });
    return { user, names, tokens, as, remember, state, patch, preferences, facts, memories, recalled, client };
  }

  const since = (year: number) => ({ valid_from: `${year}-01-01T00:00:00Z` });
  const shown = (facts: { value: string; status: string }[]) => facts.map(({ value, status }) => `${value} ${status}`);
  const nothing = { users: 0, memories: 0, facts: 0, restored: 0, patches: 0, unresolved: 0 };

  it('removes its memories and facts, restores what they ended, and can be undone exactly', async () => {
    const { names, remember, state, facts, memories, recalled, client } = await newCase();
    await state('helper', 'lives in', 'Bergen', since(2015));
    const page = await remember('scraper', 'The fjord page says that he moved to Oslo.');
    const said = await remember('user', 'The kettle is on the shelf.');
    await state('scraper', 'lives in', 'Oslo', { ...since(2020), evidence: [page] });
    await state('scraper', 'works at', 'Acme');
    await state('scraper', 'likes', 'tea', { evidence: [page, said] });
    await state('scraper', 'pet', 'Rex');
    await state('user', 'pet', 'Rex');
    const before = { facts: await facts(), memories: await memories() };
    const tried = await client.revertSource('t1', { author: names.scraper });
    const counts = { users: 1, memories: 1, facts: 2, restored: 1, patches: 0, unresolved: 0 };
    expect(tried).toEqual({ revert_id: null, dry_run: true, counts });
    expect({ facts: await facts(), memories: await memories() }).toEqual(before);

    const { revert_id: id, ...done } = await client.revertSource('t1', { author: names.scraper }, { dryRun: false });
    expect(done).toEqual({ dry_run: false, counts });
    expect(shown(await facts()).sort()).toEqual(['Bergen current', 'Rex current', 'tea current']);
    expect((await memories()).map((memory: { id: string }) => memory.id)).toEqual([said]);
    expect(await recalled('fjord page Oslo')).not.toContain('The fjord page says that he moved to Oslo.');
    expect((await client.revertSource('t1', { author: names.scraper })).counts).toMatchObject({
      memories: 0,
      facts: 0,
    });
    expect((await client.listReverts('t1', { limit: 1 })).reverts).toMatchObject([
      { revert_id: id, users: 1, memories: 1, at: expect.any(String), purge_at: expect.any(String) },
    ]);

    expect(await client.undoRevert('t1', id ?? '')).toMatchObject({ users: 1, memories: 1, facts: 2 });
    expect({ facts: await facts(), memories: await memories() }).toEqual(before);
    expect(await recalled('fjord page Oslo')).toContain('The fjord page says that he moved to Oslo.');
    await expect(client.undoRevert('t1', id ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const tenantAudit = await pastEverything<{ record: string }>(
      database(),
      `SELECT record FROM memhall.audit_records WHERE tenant_id = 't1' AND user_id = '' AND target = 'source-reverts/${id}' ORDER BY seq`,
    );
    expect(tenantAudit.map(({ record }) => JSON.parse(record))).toMatchObject([
      { operation: 'sources.revert', filter: { author: names.scraper }, counts },
      { operation: 'sources.undo', change: 'undone' },
    ]);
  });

  it('takes its patches of documents back, and leaves those that others built on to a decision', async () => {
    const { user, names, patch, preferences, as, client } = await newCase();
    const add = (value: string) => ({ op: 'add', path: '/content/preferences/-', value });
    expect((await patch('user', [{ op: 'add', path: '/content/preferences', value: ['tea'] }])).status).toBe(200);
    expect((await patch('scraper', [add('buy from X'), add('trust X')])).status).toBe(200);
    expect((await patch('user', [add('milk')])).status).toBe(200);
    const counts = { ...nothing, users: 1, patches: 1 };
    expect((await client.revertSource('t1', { author: names.scraper })).counts).toEqual(counts);
    expect(await preferences()).toEqual(['tea', 'buy from X', 'trust X', 'milk']);
    const first = await client.revertSource('t1', { author: names.scraper }, { dryRun: false });
    expect(first.counts).toEqual(counts);
    expect(await preferences()).toEqual(['tea', 'milk']);
    await client.undoRevert('t1', first.revert_id ?? '');
    expect((await preferences()).sort()).toEqual(['buy from X', 'milk', 'tea', 'trust X']);

    const [index] = (await preferences()).flatMap((text: string, at: number) => (text === 'trust X' ? [at] : []));
    const edit = { op: 'replace', path: `/content/preferences/${index}`, value: 'trust X a little' };
    expect((await patch('user', [edit])).status).toBe(200);
    const second = await client.revertSource('t1', { author: names.scraper, surface: 'documents' }, { dryRun: false });
    expect(second.counts).toEqual({ ...counts, patches: 0, unresolved: 1 });
    const path = `/v1/tenants/t1/users/${user}/unresolved-patches`;
    expect((await as('admin', { path })).patches).toMatchObject([{ status: 'review', path: 'user_dynamic.json' }]);
    await client.undoRevert('t1', second.revert_id ?? '');
    expect((await as('admin', { path })).patches).toEqual([]);
  });

  it.each<{ of: string; roles: string[] }>([
    { of: 'the role service', roles: ['service'] },
    { of: 'no role', roles: [] },
  ])(
    'is a service with $of by its own name, even with a token of the user, but not what it passes on',
    async ({ roles }) => {
      const { user, facts, memories, client } = await newCase();
      const service = `crawler-${user}`;
      const token = await server().token({ user, service, roles });
      const send = async (path: string, body: object, method: 'POST' | 'PUT' = 'POST') => {
        const answer = await server().call({ method, path, body, token });
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
        return answer.body;
      };
      await send('/v1/remember', { content: 'I live in Bergen.', role: 'user' });
      const { memory } = await send('/v1/remember', { content: 'The user works at Acme.' });
      expect(memory).toMatchObject({ trust: 'agent', origin: { author: service } });
      await send('/v1/facts', { subject: 'me', attribute: 'pet', value: 'Rex' }, 'PUT');
      const done = await client.revertSource('t1', { author: service }, { dryRun: false });
      expect(done.counts).toMatchObject({ memories: 1, facts: 2 });
      expect(shown(await facts())).toEqual(['Bergen current']);
      expect((await memories()).map(({ content }: { content: string }) => content)).toEqual(['I live in Bergen.']);
      await client.revertSource('t1', { author: user }, { dryRun: false });
      expect(await facts()).toEqual([]);
    },
  );

  it('is chosen by author, surface, time, namespace or file, and never by nothing', async () => {
    const { names, remember, client, as, tokens } = await newCase();
    await remember('scraper', 'One.');
    const middle = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 3));
    await remember('scraper', 'Two.');
    const found = async (filter: Parameters<typeof client.revertSource>[1]) =>
      (await client.revertSource('t1', filter)).counts.memories;
    const author = names.scraper;
    expect(await found({ author })).toBe(2);
    expect(await found({ author, surface: 'api' })).toBe(2);
    expect(await found({ author, surface: 'mcp' })).toBe(0);
    expect(await found({ author, from: middle })).toBe(1);
    expect(await found({ author, to: middle })).toBe(1);
    expect(await found({ author: 'nobody' })).toBe(0);
    expect(await found({ namespace: 'team:none' })).toBe(0);
    expect(await found({ resource_id: 'r_none' })).toBe(0);
    const revert = (body: object, token = tokens.admin) =>
      server().call({ method: 'POST', path: '/v1/tenants/t1/sources:revert', token, body });
    for (const filter of [{}, { surface: 'api' }, { author, from: middle, to: middle }, { author, surface: 'x' }]) {
      expectProblem(await revert({ filter }), 'INVALID_REQUEST');
    }
    expectProblem(await revert({ filter: { author } }, tokens.scraper), 'FORBIDDEN');
    expectProblem(await revert({ filter: { author } }, tokens.user), 'FORBIDDEN');
    await as('admin', {
      method: 'PUT',
      path: `/v1/tenants/t1/legal-holds/hold-${count}`,
      body: { user_ids: [`reverted-${count}`], reason: 'A court asked for it.' },
    });
    expectProblem(await revert({ filter: { author }, dry_run: false }), 'LEGAL_HOLD');
    await as('admin', { method: 'DELETE', path: `/v1/tenants/t1/legal-holds/hold-${count}` });
    expect(await found({ author })).toBe(2);
  });

  it('reaches namespaces and facts of others that cite them, and is purged with time and with the user', async () => {
    const { user, names, as, state, facts, client } = await newCase();
    const namespace = `team:n-${count}`;
    const claims = { team_id: `n-${count}` };
    const writer = await server().token({ user: names.scraper, claims });
    const stored = await server().call({
      method: 'POST',
      path: '/v1/remember',
      token: writer,
      body: { content: 'Everybody moved to Rome.', namespace },
    });
    expect(stored.status).toBe(201);
    const reader = await server().token({ user, claims });
    const cite = { subject: 'me', attribute: 'lives in', value: 'Rome', evidence: [stored.body.memory.id] };
    expect((await server().call({ method: 'PUT', path: '/v1/facts', token: reader, body: cite })).status).toBe(201);
    await state('user', 'likes', 'tea');
    const before = await facts();
    const { revert_id: id, counts } = await client.revertSource('t1', { namespace }, { dryRun: false });
    expect(counts).toMatchObject({ users: 2, memories: 1, facts: 1 });
    expect(shown(await facts())).toEqual(['tea current']);
    await client.undoRevert('t1', id ?? '');
    expect(await facts()).toEqual(before);

    const kept = () =>
      pastEverything<{ n: string }>(
        database(),
        `SELECT count(*) AS n FROM memhall.reverted_rows WHERE tenant_id = 't1' AND user_id IN ('${user}', '${names.scraper}')`,
      ).then(([row]) => Number(row?.n));
    const again = await client.revertSource('t1', { namespace }, { dryRun: false });
    expect(await kept()).toBeGreaterThan(0);
    const sweep = (who: string) =>
      as('admin', {
        method: 'POST',
        path: `/v1/tenants/t1/users/${who}/retention:apply`,
        body: { profile_id: 'project-copilot-v1' },
      });
    await sweep(user);
    expect(await kept()).toBeGreaterThan(0);
    await pastEverything(
      database(),
      `UPDATE memhall.reverted_rows SET at = at - interval '31 days' WHERE user_id = '${user}'`,
    );
    await sweep(user);
    expect(await kept()).toBeGreaterThan(0);
    await as('admin', { method: 'DELETE', path: `/v1/tenants/t1/users/${names.scraper}/memory` });
    expect(await kept()).toBe(0);
    await expect(client.undoRevert('t1', again.revert_id ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('restores events, and works on the command line', async () => {
    const { user, names, tokens, as, memories } = await newCase();
    const event = { digest: 'The council chose the red boat.', keywords: ['boat'] };
    const path = `/v1/tenants/t1/users/${user}/events`;
    const sent = await server().call({ method: 'POST', path, token: tokens.scraper, body: { event } });
    expect(sent.status).toBeLessThan(300);
    const search = async () =>
      (
        await as('user', {
          method: 'POST',
          path: `/v1/tenants/t1/users/${user}/events:search`,
          body: { query: 'boat' },
        })
      ).results;
    const before = await search();
    expect(before.length).toBeGreaterThan(0);
    const flags = ['--tenant', 't1', ...flagsOf(database())];
    const tried = await runCommand(['sources', 'revert', '--author', names.scraper, ...flags]);
    expect(tried.stdout).toMatch(
      /^Would take back: 1 memories, 0 facts and 0 patches of 1 users\.\nNothing was changed\./,
    );
    const done = await runCommand(['sources', 'revert', '--author', names.scraper, '--apply', '--json', ...flags]);
    const { revert_id: id } = JSON.parse(done.stdout);
    expect(await search()).toEqual([]);
    expect(await memories()).toEqual([]);
    const listed = await runCommand(['sources', 'list', '--json', ...flags]);
    expect(listed.stdout).toContain(id);
    expect((await runCommand(['sources', 'undo', id, ...flags])).stdout).toMatch(/^Restored: 1 memories/);
    expect(await search()).toEqual(before);
    expect((await runCommand(['sources', 'revert', ...flags])).stderr).toMatch(/must name a source/);
  });
});
