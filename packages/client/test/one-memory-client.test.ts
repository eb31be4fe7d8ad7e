import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { collectAll } from '../../server/test/support/collect-all.js';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { oneMemoryRoutes } from '../src/generated/operations.js';
import { MemoryClient } from '../src/index.js';
import { OneMemoryClient } from '../src/one-memory.js';

describeOneDatabase('remember, recall and forget with OneMemoryClient', (database) => {
  const server = useServer(database);
  const connect = (user: string, claims: Record<string, string> = {}) =>
    new OneMemoryClient({ baseUrl: server().url, token: () => server().token({ user, claims }) });
  let memory: OneMemoryClient;
  let memoryService: MemoryClient;
  beforeAll(() => {
    memory = connect('ann');
    memoryService = new MemoryClient({ baseUrl: server().url, token: () => server().token({ user: 'ann' }) });
  });

  it('remembers one thing or many, and recalls what other surfaces wrote', async () => {
    const tea = await memory.remember('I take my tea without milk.');
    expect(tea).toMatchObject({ kind: 'note', trust: 'user', origin: { surface: 'api', author: 'ann' } });
    expect((await memory.remember('I take my tea without milk.')).id).toBe(tea.id);
    const many = await memory.rememberMany([
      'The kettle is blue.',
      { content: 'Tea is served at four.', kind: 'fact', tags: ['house'], occurred_at: '2026-05-01T00:00:00Z' },
    ]);
    expect(many.map(({ kind }) => kind)).toEqual(['note', 'fact']);
    await memoryService.storeKnowledge({ content: 'Green tea is not oxidised.' });
    const { results } = await memory.recall('tea');
    expect(results.map(({ text }) => text).sort()).toEqual([
      'Green tea is not oxidised.',
      'I take my tea without milk.',
      'Tea is served at four.',
    ]);
    expect(results.every(({ own, current }) => own && current)).toBe(true);
    const dated = await memory.recall({ query: 'tea', to: '2026-05-02T00:00:00Z', explain: true });
    expect(dated.results).toMatchObject([{ id: many[1]?.id, explain: { copies: [] } }]);
  });

  it('exports what the user owns, as it arrives', async () => {
    const carl = connect('carl');
    await carl.rememberMany(Array.from({ length: 300 }, (_, n) => `Number ${n}. ${'x'.repeat(1000)}`));
    const pieces = await collectAll(carl.exportMemory());
    const records = pieces.join('').trimEnd().split('\n');
    expect(pieces.length).toBeGreaterThan(1);
    expect(JSON.parse(records.at(-1) ?? '')).toMatchObject({ type: 'end', counts: { memories: 300 } });
    for await (const text of carl.exportMemory('markdown')) {
      expect(text).toContain('# Memory of carl');
      break;
    }
    await expect(collectAll(carl.exportMemory('jsonl', { userId: 'ann' }))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('reads what changed in pages, and follows what changes', async () => {
    const dora = connect('dora');
    const [first, second] = await dora.rememberMany(['The first.', 'The second.']);
    const { changes, next_cursor: after } = await dora.listChanges({ limit: 1 });
    expect(changes).toMatchObject([{ operation: 'memory.remember', kind: 'note', id: first?.id }]);
    const received: string[] = [];
    for await (const { id } of dora.followChanges({ after })) {
      received.push(id);
      if (id === second?.id) received.push((await dora.remember('The third.')).id);
      else break;
    }
    expect(received).toEqual([second?.id, received[2], received[2]]);
    await expect(collectAll(dora.followChanges({ after: 'nonsense' }))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });

  it('goes off the record for a call, a client or a session', async () => {
    const nil = '00000000-0000-0000-0000-000000000000';
    expect(await memory.remember('Nobody knows.', { offTheRecord: true })).toMatchObject({ id: nil });
    const token = () => server().token({ user: 'ann' });
    const discreet = new OneMemoryClient({ baseUrl: server().url, token, offTheRecord: true });
    expect(await discreet.remember('Nobody knows.')).toMatchObject({ id: nil });
    expect(await discreet.remember('Everybody knows.', { offTheRecord: false })).not.toMatchObject({ id: nil });
    const until = new Date('2999-01-01T00:00:00Z');
    expect(await memory.goOffTheRecord('s1', { until })).toMatchObject({ until: until.toISOString() });
    expect(await memory.remember({ content: 'Nobody knows.', session_id: 's1' })).toMatchObject({ id: nil });
    expect(await memory.getRecordState('s1')).toMatchObject({ off_the_record: true });
    expect(await collectAll(memory.allOffTheRecord({ limit: 1 }))).toMatchObject([{ session_id: 's1' }]);
    await memory.goOnTheRecord('s1');
    expect(await memory.getRecordState('s1')).toEqual({ session_id: 's1', off_the_record: false });
    expect((await memory.recall('nobody')).results).toEqual([]);
  });

  it('states facts, reads what was true when, and takes a change back', async () => {
    const home = { subject: 'me', attribute: 'lives in' };
    const bergen = await memory.putFact({ ...home, value: 'Bergen', valid_from: '2015-01-01T00:00:00Z' });
    const oslo = await memory.putFact({ ...home, value: 'Oslo', valid_from: '2020-01-01T00:00:00Z' });
    expect(await memory.listFacts({ attribute: 'lives in' })).toMatchObject({ facts: [{ id: oslo.id }] });
    const all = await collectAll(memory.allFacts({ include_superseded: true }, { limit: 1 }));
    expect(all.map(({ value }) => value)).toEqual(['Oslo', 'Bergen']);
    expect(await memory.getFact(bergen.id, { as_of: '2016-01-01T00:00:00Z' })).toMatchObject({
      fact: { status: 'current' },
      superseded_by: oslo.id,
    });
    expect(await memory.retractFact(oslo.id, { reason: 'Not yet.' })).toMatchObject({ status: 'retracted' });
    expect(await memory.undoFact(oslo.id)).toMatchObject({ status: 'current' });
    const rome = await memory.putFact({ ...home, value: 'Rome', trust: 'external' });
    expect(rome.status).toBe('unconfirmed');
    expect(await memory.confirmFact(rome.id)).toMatchObject({ status: 'current' });
    await memory.undoFact(rome.id);
    expect(await memory.rejectFact(rome.id)).toMatchObject({ status: 'retracted' });
    expect(await memory.getFact('missing')).toBeNull();
    const admin = new OneMemoryClient({ baseUrl: server().url, token: () => server().token({ roles: ['admin'] }) });
    const colour = { single: true, ends_alone: true, synonyms: ['best colour'], patterns: [] };
    await admin.putAttribute('t1', 'favourite colour', colour);
    expect(await admin.getAttribute('t1', 'best colour')).toEqual({ name: 'favourite colour', ...colour });
    expect(await admin.getAttribute('t1', 'nothing')).toBeNull();
  });

  it('repeats the result of a call with the same idempotency key', async () => {
    const options = { idempotencyKey: 'boats-1' };
    const first = await memory.remember({ content: 'One boat.', external_id: 'boat' }, options);
    await memory.remember({ content: 'Two boats.', external_id: 'boat' });
    const again = await memory.remember({ content: 'One boat.', external_id: 'boat' }, options);
    expect(again).toMatchObject({ id: first.id, content: 'Two boats.' });
    await expect(memory.remember('Other.', options)).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  it('reads a memory with its history, changes it if nobody else did, and forgets it', async () => {
    const { id } = await memory.remember('The ferry leaves at noon.');
    const found = await memory.getMemory(id);
    expect(found).toMatchObject({
      memory: { id },
      origin: { surface: 'api' },
      history: [{ change: 'written', operation: 'memory.remember', user_id: 'ann' }],
    });
    const ifMatch = found?.etag ?? '';
    const changed = await memory.updateMemory(id, { content: 'The ferry leaves at one.', pin: true }, { ifMatch });
    expect(changed).toMatchObject({ memory: { content: 'The ferry leaves at one.', pin: true } });
    await expect(memory.updateMemory(id, { pin: false }, { ifMatch })).rejects.toMatchObject({ code: 'ETAG_MISMATCH' });
    await expect(memory.forgetMemory(id, { ifMatch })).rejects.toMatchObject({ code: 'ETAG_MISMATCH' });
    await memory.updateMemory(id, { pin: false }, { ifMatch: '*' });
    expect(await connect('bob').getMemory(id)).toBeNull();
    const copy = await memoryService.storeKnowledge({ content: 'the ferry leaves at one' });
    expect(await memory.forgetMemory(id, { copies: true })).toBe(true);
    expect(await memory.forgetMemory(id)).toBe(false);
    expect(await memory.getMemory(copy.id)).toBeNull();
  });

  it('lists page by page, or all of them', async () => {
    const lister = connect('lister', { team_id: 'crew' });
    await lister.rememberMany(['One', 'Two', 'Three'].map((content) => ({ content, tags: ['count'] })));
    await lister.remember({ content: 'Shared', namespace: 'team:crew' });
    const page = await lister.listMemories({ tag: 'count' }, { limit: 2 });
    expect(page.memories).toHaveLength(2);
    const next = await lister.listMemories({ tag: 'count' }, { limit: 2, cursor: page.next_cursor ?? '' });
    expect(next.memories).toHaveLength(1);
    expect(next.next_cursor).toBeUndefined();
    const all = await collectAll(lister.allMemories({}, { limit: 1 }));
    expect(all.map(({ content }) => content).sort()).toEqual(['One', 'Shared', 'Three', 'Two']);
    const shared = await collectAll(lister.allMemories({ namespace: 'team:crew' }));
    expect(shared).toMatchObject([{ content: 'Shared', namespace: 'team:crew' }]);
  });

  it('acts for the user that a service token names', async () => {
    const token = await server().token({ user: 'robot', roles: ['service'] });
    const service = new OneMemoryClient({ baseUrl: server().url, token });
    const options = { userId: 'carl' };
    const { id, trust } = await service.remember('Carl keeps bees.', options);
    expect(trust).toBe('agent');
    expect((await connect('carl').recall('bees')).results).toMatchObject([{ id }]);
    expect((await service.recall('bees')).results).toEqual([]);
    expect(await service.whyRecalled(id, 'bees', options)).toMatchObject({ returned: true, rank: 1 });
    expect(await service.whyRecalled(id, { query: 'bees', group_by: 'session' }, options)).toMatchObject({
      reason: 'no_session',
    });
    expect(await service.whyRecalled(id, 'bees')).toBeNull();
    expect(await service.getMemory(id, options)).not.toBeNull();
    await service.updateMemory(id, { tags: ['bees'] }, { ...options, ifMatch: '*' });
    expect((await service.listMemories({ tag: 'bees' }, options)).memories).toHaveLength(1);
    expect(await service.forgetMemory(id, options)).toBe(true);
  });
});

it('has a method for every operation', () => {
  const areas = ['one-memory', 'facts', 'off-the-record', 'sources', 'webhooks'];
  const files = areas.map((area) => `${area}-client.ts`);
  const code = files.map((file) => readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8')).join('\n');
  expect(Object.keys(oneMemoryRoutes).filter((operation) => !code.includes(`'${operation}'`))).toEqual([]);
});
