import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { RunningEngine } from '../src/composition/start-engine.js';
import { maintainTenant } from '../src/engine/audit/maintain.js';
import type { Caller } from '../src/engine/caller.js';
import { addMessages } from '../src/engine/conversations/add-messages.js';
import { replayConversation } from '../src/engine/conversations/replay-conversation.js';
import { takeSnapshot } from '../src/engine/conversations/take-snapshot.js';
import { agreeDocuments } from '../src/engine/document-facts/agree-documents.js';
import { learnAgain, learnStored, openReadings, totalUnread } from '../src/engine/document-facts/learn-stored.js';
import { getDocument } from '../src/engine/documents/get-document.js';
import { patchDocument } from '../src/engine/documents/patch-document.js';
import type { ProfileSource } from '../src/engine/documents/profile-shape.js';
import { registerProfile } from '../src/engine/documents/register-profile.js';
import { registerSchema } from '../src/engine/documents/register-schema.js';
import type { Engine } from '../src/engine/engine.js';
import { retractFact } from '../src/engine/facts/change-fact.js';
import { learner } from '../src/engine/facts/learn-facts.js';
import { listFacts } from '../src/engine/facts/read-facts.js';
import { putNamespace } from '../src/engine/memories/namespaces.js';
import type { NewMemory } from '../src/engine/memories/new-memory.js';
import { rememberMany } from '../src/engine/memories/remember.js';
import { learnFactsJob } from '../src/jobs/learn-facts-job.js';
import { collect, flagsOf, program } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

const day = (text: string) => new Date(`${text}T12:00:00Z`);

/** Stores texts as a version does that learns no facts. */
function store(engine: Engine, caller: Caller, texts: readonly (Partial<NewMemory> & { content: string })[]) {
  return rememberMany(
    engine,
    caller,
    texts.map((text) => ({ kind: 'note', role: 'user', ...text })),
  );
}

/** Acts as if everything that is stored came from before this version. */
async function upgrade({ database }: RunningEngine) {
  await database.pool.query('UPDATE memhall.migrations SET applied_at = now()');
}

/** Returns facts as "attribute value status from..to", in alphabetical order. */
async function factsOf(engine: Engine, caller: Caller): Promise<string[]> {
  const { items } = await listFacts(engine, caller, { includeSuperseded: true, limit: 100 });
  const toDay = (at: Date | null) => at?.toISOString().slice(0, 10) ?? '';
  return items
    .map(
      ({ fact: { attribute, value, state }, status }) =>
        `${attribute} ${value} ${status} ${toDay(state.validFrom)}..${toDay(state.validTo)}`,
    )
    .sort();
}

/** Returns statements about different towns, one a day. */
const towns = (count: number) =>
  Array.from({ length: count }, (_, number) => ({
    content: `I visited Zq${number.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '')}.`,
    occurredAt: new Date(day('2020-01-01').getTime() + number * 86_400_000),
  }));

describeOneDatabase('memories of a version that learned no facts', (database) => {
  const running = useEngine(database);
  const newCaller = (user: string = randomUUID()) =>
    callerOf(user, randomUUID(), [`workspace:${user}`, `workspace:other-${user}`, 'team:t']);

  it('are read from the oldest on, with their own times, where live ones are read, and once', async () => {
    const { engine } = running();
    const caller = newCaller();
    const { tenantId, userId } = caller;
    for (const name of caller.namespaces ?? [])
      await putNamespace(engine, caller, { name, kind: 'workspace', expiresAt: null, metadata: null });
    await store(engine, caller, [
      { content: 'I moved to Oslo last week.', occurredAt: day('2022-11-16') },
      { content: 'I live in Bergen.', occurredAt: day('2020-02-01') },
      {
        content: 'I play the piano.',
        kind: 'fact',
        occurredAt: day('2021-01-01'),
        visibility: { namespace: `workspace:${userId}` },
      },
      { content: 'I play chess.', visibility: { namespace: `workspace:other-${userId}` } },
      { content: 'I play golf.', visibility: { namespace: 'team:t' } },
      { content: 'I play tennis.', visibility: 'public' },
      { content: 'I play football.', kind: 'procedural' },
      { content: 'I play cricket.', role: 'tool' },
    ]);
    const place = { appId: 'a', projectId: 'p', sessionId: 's' };
    const said = { senderId: userId, role: 'user' as const, at: day('2021-05-05'), content: 'I work at Equinor.' };
    await addMessages(engine, caller, place, [said]);
    expect(await openReadings(engine, tenantId)).toEqual([]);
    await upgrade(running());
    expect(await openReadings(engine, tenantId)).toEqual([userId]);

    expect(await learnStored(engine, tenantId)).toEqual({ users: 1, memories: 5 });
    const facts = [
      'lives in Bergen superseded 2020-02-01..2022-11-07',
      'lives in Oslo current 2022-11-07..',
      'plays piano current 2021-01-01..',
      'works at Equinor current 2021-05-05..',
    ];
    expect(await factsOf(engine, caller)).toEqual(facts);
    expect(await openReadings(engine, tenantId)).toEqual([]);
    expect(await learnStored(engine, tenantId)).toEqual({ users: 0, memories: 0 });
  });

  it('go on where a run stopped that did not commit', async () => {
    const { engine } = running();
    const caller = newCaller();
    const { tenantId } = caller;
    await store(engine, caller, towns(130));
    await upgrade(running());
    let writes = 0;
    const write: Engine['store']['write'] = (scope, work) =>
      engine.store.write(scope, async (tables) => {
        const result = await work(tables);
        if (++writes === 3) throw new Error('killed');
        return result;
      });
    const failing = new Proxy(engine.store, {
      get: (target, name) => (name === 'write' ? write : Reflect.get(target, name, target).bind(target)),
    });
    const dying = { ...engine, store: failing };
    await expect(learnStored(dying, tenantId)).rejects.toThrow('killed');
    expect(await factsOf(engine, caller)).toHaveLength(50);
    expect(await totalUnread(engine)).toBe(80);
    expect(await learnStored(engine, tenantId)).toEqual({ users: 1, memories: 80 });
    expect(await totalUnread(engine)).toBe(0);
    const { rows } = await running().database.pool.query(
      'SELECT count(*)::int AS steps, count(DISTINCT fact_id)::int AS facts FROM memhall.fact_states WHERE tenant_id = $1',
      [tenantId],
    );
    expect(rows).toEqual([{ steps: 130, facts: 130 }]);
  });

  it('state nothing again that was learned, taken back or said later', async () => {
    const { engine } = running();
    const caller = newCaller();
    const [joke] = await rememberMany(
      engine,
      caller,
      [{ kind: 'note', role: 'user', content: 'I play chess.', occurredAt: day('2021-01-01') }],
      { follows: learner(engine, caller) },
    );
    const { items } = await listFacts(engine, caller, { limit: 1 });
    await retractFact(engine, caller, items[0]?.fact.id ?? '');
    await rememberMany(
      engine,
      caller,
      [
        { content: 'I have been living in Bergen since 2010.', occurredAt: day('2024-01-01') },
        { content: 'I speak Danish.', occurredAt: day('2024-01-01') },
      ].map((text) => ({ kind: 'note', role: 'user', ...text })),
      { follows: learner(engine, caller) },
    );
    await store(engine, caller, [
      { content: 'I moved to Oslo.', occurredAt: day('2021-01-01') },
      { content: 'I no longer live in Bergen.', occurredAt: day('2022-01-01') },
      { content: 'I never spoke Danish.', occurredAt: day('2022-01-01') },
    ]);
    await upgrade(running());
    expect(await learnStored(engine, caller.tenantId)).toEqual({ users: 1, memories: 6 });
    expect(joke?.outcome).toBe('created');
    expect(await factsOf(engine, caller)).toEqual([
      'lives in Bergen current 2010-01-01..',
      'lives in Oslo unconfirmed 2021-01-01..',
      'speaks Danish current 2024-01-01..',
    ]);
  });
});

const people: ProfileSource = {
  document_bindings: [
    {
      ...{
        binding_id: 'person',
        namespace: 'people',
        path_template: '{name}.json',
        schema_id: 'person',
        schema_version: '1',
      },
      initial: { facts: [] },
    },
  ],
  writable_path_rules: { person: ['/city', '/facts'] },
  fact_rules: { person: [{ path: '/city', attribute: 'lives in' }, { path: '/facts' }] },
};

describeOneDatabase('documents of a version that learned no facts', (database) => {
  const running = useEngine(database);

  it('are read with memories, from the oldest value on, and agree with facts from then on', async () => {
    const { engine } = running();
    const caller: Caller = { ...callerOf(`u-${randomUUID()}`, randomUUID()), operation: 'documents.patch' };
    const admin: Caller = { ...caller, actor: { userId: 'root', serviceId: null, roles: ['admin'] } };
    const { tenantId } = caller;
    const place = (path: string) => ({ namespace: 'people', path });
    const schema = { type: 'object', properties: { city: { type: 'string' }, facts: { type: 'array' } } };
    await registerSchema(engine, admin, { schemaId: 'person', version: '1', schema, migration: null });
    await registerProfile(engine, admin, { profileId: 'people', source: people, precondition: { kind: 'none' } });
    const write = (year: number, older: Partial<Engine>, name: string, path: string, value: string) =>
      patchDocument({ ...engine, ...older, clock: { now: () => day(`${year}-02-01`) } }, caller, {
        ...{
          ...place(name),
          profileId: 'people',
          bindingId: 'person',
          reason: 'live_update',
          evidence: { by: 'hand' },
        },
        ...({ confidence: null, precondition: { kind: 'none' }, idempotency: null } as const),
        ops: [{ op: 'add', path: `/content${path}`, value }],
      });
    // One version knew no pieces of documents, the next one no facts in them.
    await write(2020, { documentWatchers: [] }, 'home.json', '/city', 'Bergen');
    await store(engine, caller, [{ content: 'I moved to Oslo.', occurredAt: day('2021-03-01') }]);
    await write(2022, { pieceWatchers: [] }, 'notes.json', '/facts/-', 'I speak Danish.');
    await upgrade(running());
    await maintainTenant(engine, tenantId, async (tables) => tables.artifacts.unfollow());
    expect(await learnStored(engine, tenantId)).toEqual({ users: 1, memories: 3 });
    const facts = [
      'lives in Bergen superseded 2020-02-01..2021-03-01',
      'lives in Oslo current 2021-03-01..',
      'speaks Danish current 2022-02-01..',
    ];
    expect(await factsOf(engine, caller)).toEqual(facts);
    expect(await agreeDocuments(engine, caller)).toBe(1);
    expect((await getDocument(engine, caller, place('home.json'))).body.content).toMatchObject({ city: 'Oslo' });
    await learnAgain(engine, tenantId);
    await learnStored(engine, tenantId);
    expect(await factsOf(engine, caller)).toEqual(facts);
  });
});

describeOneDatabase('the job that reads memories of an older version', (database) => {
  const running = useEngine(database);

  it('reads replayed conversations again', async () => {
    const { engine } = running();
    const caller = callerOf('u1', randomUUID());
    const { tenantId, userId } = caller;
    const messages = [
      { id: 'm1', role: 'user' as const, content: 'I live in Bergen.', timestamp: '2021-03-02T12:00:00Z' },
      { id: 'm2', role: 'user' as const, content: 'I moved to Oslo.', timestamp: '2023-03-02T12:00:00Z' },
    ];
    const input = { conversationId: 'c1', profileId: 'project-copilot-v1', messages, replay: true };
    const { replayId } = await takeSnapshot(engine, caller, input);
    await replayConversation(engine, { tenantId, userId, replayId: replayId ?? '' });
    const facts = ['lives in Bergen superseded 2021-03-02..2023-03-02', 'lives in Oslo current 2023-03-02..'];
    expect(await factsOf(engine, caller)).toEqual(facts);
    for (const table of ['fact_evidence', 'fact_states', 'facts'])
      await running().database.pool.query(`DELETE FROM memhall.${table} WHERE tenant_id = $1`, [tenantId]);
    expect(await factsOf(engine, caller)).toEqual([]);
    await upgrade(running());
    await learnStored(engine, tenantId);
    expect(await factsOf(engine, caller)).toEqual(facts);
  });

  it('enqueues a job for each tenant that is behind, and reads everything again on request', async () => {
    const { engine } = running();
    const caller = callerOf('u1', randomUUID());
    await store(engine, caller, [{ content: 'I live in Bergen.' }]);
    await upgrade(running());
    const enqueued: unknown[] = [];
    const queue = { enqueue: async (_: string, payload: object) => enqueued.push(payload) > 0 };
    const run = (payload: object) =>
      learnFactsJob.run({ engine, queue } as never, payload as never, new AbortController().signal);
    expect(await run({})).toMatchObject({ behind: 1 });
    expect(enqueued).toEqual([{ tenantId: caller.tenantId }]);
    expect(await run({ tenantId: caller.tenantId })).toEqual({ users: 1, memories: 1 });
    await store(engine, caller, [{ content: 'I play chess.' }]);
    expect(await run({ tenantId: caller.tenantId })).toEqual({ users: 0, memories: 0 });
    expect(await run({ tenantId: caller.tenantId, again: 'yes' })).toEqual({ users: 1, memories: 2 });
    expect(await factsOf(engine, caller)).toHaveLength(2);
    const without = { ...engine, statements: null };
    expect(
      await learnFactsJob.run({ engine: without, queue } as never, {}, new AbortController().signal),
    ).toMatchObject({ behind: 0 });
  });

  it('is continued by another process after a kill', async () => {
    const { engine } = running();
    const caller = callerOf('u1', randomUUID());
    const { tenantId } = caller;
    const texts = towns(500);
    await store(engine, caller, texts);
    await upgrade(running());
    const args = ['jobs', 'run', 'learn-facts', '--tenant', tenantId, ...flagsOf(database()), '--embedder', 'none'];
    const child = spawn(process.execPath, [program, ...args]);
    const ended = collect(child);
    const learned = async () => (await factsOf(engine, caller)).length;
    await expect.poll(learned, { timeout: 30_000, interval: 10 }).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await ended;
    const left = await totalUnread(engine);
    expect(left).toBeGreaterThan(0);
    expect(await learnStored(engine, tenantId)).toEqual({ users: 1, memories: left });
    const { rows } = await running().database.pool.query(
      'SELECT count(*)::int AS evidence, count(DISTINCT memory_id)::int AS memories FROM memhall.fact_evidence WHERE tenant_id = $1',
      [tenantId],
    );
    expect(rows).toEqual([{ evidence: 500, memories: 500 }]);
  });
});
