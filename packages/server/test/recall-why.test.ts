import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { indexPartition } from '../src/engine/memories/recall/tend-large-partitions.js';
import { toMember } from '../src/engine/one-memory/member.js';
import { noClaims } from '../src/engine/one-memory/namespace-grants.js';
import { recallAny } from '../src/engine/one-memory/recall-any.js';
import { whyRecalled } from '../src/engine/one-memory/why-recalled.js';
import { openMemhall } from '../src/open-memhall.js';
import { turnOf } from './support/conversations.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { expectProblem } from './support/expect-problem.js';
import { fill, SmallEngine, tenant, userPartition } from './support/large-scope.js';
import { useServer } from './support/server.js';

let count = 0;

describeOneDatabase('POST /v1/recall:why', (database) => {
  const server = useServer(database);

  function newUser() {
    const user = `user-${++count}`;
    const call = async (path: string, body: object, claims: Record<string, string> = {}) =>
      server().call({ method: 'POST', path, body, token: await server().token({ user, claims }) });
    const remember = async (content: string, more: object = {}): Promise<string> =>
      (await call('/v1/remember', { content, ...more })).body.memory.id;
    const why = async (memory_id: string, query: string, more: object = {}, claims: Record<string, string> = {}) =>
      (await call('/v1/recall:why', { memory_id, query, ...more }, claims)).body;
    return { user, call, remember, why };
  }

  it('gives the place of a memory that is returned, and how it was found', async () => {
    const { remember, why } = newUser();
    const best = await remember('The kestrel hovers over the meadow.');
    const second = await remember('A kestrel.');
    expect(await why(best, 'kestrel meadow')).toMatchObject({
      returned: true,
      rank: 1,
      reason: 'returned',
      explain: { found_by: ['words'], matches: 2, parts: { lexical: expect.any(Number) } },
    });
    expect(await why(second, 'kestrel meadow')).toMatchObject({ returned: true, rank: 2 });
  });

  it('names the filters that leave a memory out', async () => {
    const { remember, why, call } = newUser();
    const id = await remember('The kestrel hovers.', {
      tags: ['birds'],
      session_id: 's1',
      occurred_at: '2026-03-01T00:00:00Z',
    });
    const claims = { team_id: 'blue' };
    const stored = await call('/v1/remember', { content: 'A kestrel of the team.', namespace: 'team:blue' }, claims);
    const shared = stored.body.memory.id;
    const filtersFor = async (more: object, of = id) => {
      const { returned, reason, explain } = await why(of, 'kestrel', more, claims);
      expect([returned, reason]).toEqual([false, 'filter']);
      return explain.filters;
    };
    expect(await filtersFor({ kinds: ['fact'] })).toEqual(['kinds']);
    expect(await filtersFor({ tags: ['fish'] })).toEqual(['tags']);
    expect(await filtersFor({ session_id: 's2' })).toEqual(['session_id']);
    expect(await filtersFor({ from: '2026-03-02T00:00:00Z' })).toEqual(['from']);
    expect(await filtersFor({ to: '2026-02-28T00:00:00Z' })).toEqual(['to']);
    expect(await filtersFor({ scopes: ['shared', 'public'] })).toEqual(['scopes']);
    expect(await filtersFor({ scopes: ['own'] }, shared)).toEqual(['scopes']);
    expect(await filtersFor({ namespaces: ['team:blue'] })).toEqual(['namespaces']);
    expect(await filtersFor({ namespaces: ['team:blue'], scopes: ['public'] })).toEqual(['scopes']);
    expect(await filtersFor({ namespaces: ['workspace:x'] }, shared)).toEqual(['namespaces']);
    expect(await filtersFor({ scopes: ['public'], kinds: ['fact'], tags: ['fish'] })).toEqual([
      'scopes',
      'kinds',
      'tags',
    ]);
    expect((await why(id, 'kestrel', { kinds: ['fact'] })).explain.message).toBe(
      'The request leaves it out by its kind.',
    );
    const all = {
      kinds: ['note'],
      tags: ['birds', 'fish'],
      session_id: 's1',
      from: '2026-03-01T00:00:00Z',
      to: '2026-03-01T00:00:00Z',
    };
    expect(await why(id, 'kestrel', all)).toMatchObject({ returned: true, rank: 1 });
    expect(await why(shared, 'kestrel', { namespaces: ['team:blue'] }, claims)).toMatchObject({ returned: true });
  });

  it('tells apart what does not match, what is a copy, what others beat, and what does not fit', async () => {
    const { remember, why, call } = newUser();
    const best = await remember('Kestrel kestrel.');
    const worse = await remember('Once a kestrel was seen here by somebody who knew the birds of this country well.');
    const other = await remember('The harbour opens at nine.');
    await call('/v1/memory/semantic', { content: 'kestrel, kestrel' });
    expect(await why(other, 'kestrel')).toMatchObject({
      returned: false,
      reason: 'threshold',
      explain: { found_by: [], matches: 3 },
    });
    const results = (await call('/v1/recall', { query: 'kestrel' })).body.results;
    const [shown, ...copies] = [results[0].id, ...results[0].also];
    expect([shown, ...copies]).toContain(best);
    expect(await why(copies[0], 'kestrel')).toMatchObject({
      ...{ returned: false, rank: 1, reason: 'copy' },
      explain: { copy_of: { id: shown, reason: 'same statement' } },
    });
    expect(await why(worse, 'kestrel', { limit: 1 })).toMatchObject({ returned: false, rank: 3, reason: 'rank' });
    expect(await why(worse, 'kestrel', { token_budget: 6 })).toMatchObject({
      returned: false,
      rank: 2,
      reason: 'token_budget',
    });
    expect(await why(shown, 'kestrel', { token_budget: 6 })).toMatchObject({ returned: true });
  });

  it('explains sessions too', async () => {
    const { remember, why } = newUser();
    const turns = [
      'The boat needs a mast.',
      'The boat needs sails.',
      'The boat needs ropes.',
      'Boats are dear, and there is a lot to say about them.',
    ];
    const ids: string[] = [];
    for (const content of turns) ids.push(await remember(content, { session_id: 'harbour', kind: 'episodic' }));
    const weak = await remember(
      'On the other hand, and after much thought, somebody once mentioned a boat in passing.',
      { session_id: 'walk', kind: 'episodic' },
    );
    const none = await remember('A boat without a session.');
    const bySession = { group_by: 'session' };
    const query = 'boat needs';
    expect(await why(ids[0] ?? '', query, bySession)).toMatchObject({ returned: true, rank: 1 });
    expect(await why(ids[3] ?? '', query, bySession)).toMatchObject({ returned: false, rank: 1, reason: 'rank' });
    expect(await why(weak, query, bySession)).toMatchObject({ returned: true, rank: 2 });
    expect(await why(weak, query, { ...bySession, limit: 1 })).toMatchObject({
      returned: false,
      rank: 2,
      reason: 'rank',
    });
    expect(await why(weak, query, { ...bySession, token_budget: 10 })).toMatchObject({
      returned: false,
      reason: 'token_budget',
    });
    expect(await why(none, query, bySession)).toMatchObject({ returned: false, reason: 'no_session' });
    expect(await why(ids[0] ?? '', query, { ...bySession, kinds: ['fact'] })).toMatchObject({ reason: 'filter' });
    expect(await why(ids[0] ?? '', 'zebra', bySession)).toMatchObject({ returned: false, reason: 'threshold' });
  });

  it('answers for a memory that the caller may not read as for one that does not exist', async () => {
    const [ann, bob] = [newUser(), newUser()];
    const id = await ann.remember('The secret kestrel.');
    const missing = randomUUID();
    const bodyOf = async (memory_id: string) => {
      const response = await bob.call('/v1/recall:why', { query: 'kestrel', memory_id });
      expectProblem(response, 'NOT_FOUND');
      const { request_id: _, ...error } = response.body.error;
      return JSON.stringify(error).replaceAll(memory_id, 'ID');
    };
    expect(await bodyOf(id)).toBe(await bodyOf(missing));
  });
});

describeOneDatabase('recall:why by meaning, in the library', (database) => {
  it('compares the similarity with the threshold', async () => {
    const { dataDirectory = '', databaseUrl } = database().flags;
    await using library = await openMemhall({ dataDirectory, embedder: 'local', ...(databaseUrl && { databaseUrl }) });
    const memory = library.as({ user: 'me' });
    const near = (await memory.remember('I own a cat called Tom.')).memory.id;
    const far = (await memory.remember('Compilers translate programs.')).memory.id;
    const text = 'Which pet do I have?';
    expect(await memory.whyRecalled(near, text)).toMatchObject({ reason: 'returned', rank: 1 });
    const why = await memory.whyRecalled(far, text);
    expect(why).toMatchObject({ reason: 'threshold', rank: undefined });
    expect(why?.message).toMatch(
      /^It shares no word with the query, and its similarity -?0\.\d\d is below the threshold of 0\.\d\d\.$/,
    );
    expect(why?.ranking?.cosineFloor).toBeGreaterThan(why?.ranking?.explanation.cosine ?? 1);
    expect(await memory.whyRecalled(randomUUID(), text)).toBeUndefined();
  });
});

describe.runIf(inject('postgresUrl') !== null)('recall:why in a partition that is searched in the database', () => {
  let small: SmallEngine;
  const me = toMember(callerOf('why', tenant), noClaims);
  beforeAll(async () => {
    small = await SmallEngine.start();
    await fill(small.engine, me, [
      ...Array.from({ length: 1200 }, (_, number) => turnOf(`Quokka ${number}, quokka!`)),
      turnOf('Long ago, among the many animals of a far country that nobody had seen before, lived a quokka.'),
      turnOf('The harbour opens at nine.'),
    ]);
    await indexPartition(small.engine, tenant, userPartition(me));
  });
  afterAll(() => small?.close());

  const find = async (text: string) =>
    (await recallAny(small.engine, me, { text, arms: 'lexical', limit: 1 }))[0]?.memory.id ?? '';
  const why = (id: string, rest: object = {}) =>
    whyRecalled(small.engine, me, id, { text: 'quokka', arms: 'lexical', limit: 10, ...rest });

  it('says which memories are candidates, and where they rank', async () => {
    const best = await find('quokka 17');
    expect(await why(best, { text: 'quokka 17' })).toMatchObject({ reason: 'returned', rank: 1 });
    const last = await why(await find('far country'));
    expect(last).toMatchObject({ reason: 'candidates', ranking: { isCandidate: false } });
    expect(await why(await find('harbour'))).toMatchObject({ reason: 'candidates' });
    expect(await why(best, { filter: { kinds: ['fact'] } })).toMatchObject({ reason: 'filter', keptOutBy: ['kinds'] });
    const [, ...others] = await recallAny(small.engine, me, { text: 'quokka', arms: 'lexical', limit: 20 });
    const beaten = others.at(-1)?.memory.id ?? '';
    expect(await why(beaten)).toMatchObject({ reason: 'rank', rank: 20 });
    expect(await why(beaten, { limit: 20 })).toMatchObject({ reason: 'returned', rank: 20 });
  });
});
