import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listFacts } from '../src/engine/facts/read-facts.js';
import { forgetAny, updateAny } from '../src/engine/one-memory/change-any.js';
import { getAny } from '../src/engine/one-memory/find-any.js';
import { recallAny } from '../src/engine/one-memory/recall-any.js';
import { recallAnySessions } from '../src/engine/one-memory/recall-any-sessions.js';
import { whyRecalled } from '../src/engine/one-memory/why-recalled.js';
import { type Memhall, openMemhall } from '../src/open-memhall.js';
import { askClient } from './support/canaries/ask-client.js';
import { askCommands } from './support/canaries/ask-commands.js';
import { askForChanges } from './support/canaries/ask-for-changes.js';
import { askForExport } from './support/canaries/ask-for-export.js';
import { askForFacts, withoutRequest } from './support/canaries/ask-for-facts.js';
import {
  allScopes,
  finds,
  mayRead,
  mayWrite,
  type Plant,
  type Reader,
  readersOf,
  type Scope,
  users,
  workspaceOf,
} from './support/canaries/cast.js';
import { Planter, pluginTenant, everywhereWord as query } from './support/canaries/plant.js';
import { forUser, isFull, namespaceOf, onBehalf, Sightings, sorted } from './support/canaries/sightings.js';
import { type Cells, type Row, whatFindsWhat } from './support/canaries/what-finds-what.js';
import { type EngineCall, WidestView } from './support/canaries/widest-view.js';
import { flagsOf } from './support/command.js';
import { describeEachDatabase, shareOf } from './support/databases.js';
import { type Answer, type Call, startTestServer } from './support/server.js';

const tenants = [pluginTenant, 'south'];
const named = (readers: readonly Reader[]) =>
  readers.map((reader) => [`${reader.name} (${reader.tenant})`, reader] as const);
const everyone = named(tenants.flatMap(readersOf));
/** Who tries single words and ids: in short runs all of one tenant, and one of the other. */
const tried = everyone.filter(([, { tenant, name }]) => isFull || tenant === pluginTenant || name === 'Ann');
/** For whom statements are counted, which takes long. */
const counted = tried.filter(([, { name }]) => isFull || ['Ann', 'an agent of Ann', 'a stranger'].includes(name));
const gatewayUsers = named(tenants.flatMap((tenant) => users.map((user) => ({ name: user, tenant, user }))));
const first: Reader = { name: 'the user Atlas', tenant: pluginTenant, user: 'atlas' };
const scopeSets: readonly (readonly Scope[])[] = [allScopes, ['own'], ['shared'], ['public']];
const namespaces = [
  ...['workspace:ann', 'workspace:bob', 'workspace:atlas', 'workspace:room'],
  ...['team:atlas', 'team:blue', 'org:atlas', 'org:corp', 'custom:birds'],
];

describe('the table in the guide', () => {
  it('is the one that the canaries check', () => {
    const guide = readFileSync(new URL('../../../docs/guide/one-memory.md', import.meta.url), 'utf8');
    const rows: Row[] = Object.values(whatFindsWhat);
    const lineOf = (title: string, { recall, mcp, gateway, context }: Cells) =>
      `| ${[title, recall, mcp, gateway, context].join(' | ')} |`;
    for (const by of ['byWriter', 'byOthers'] as const) {
      const lines = [...new Set(rows.map((row) => lineOf(row.title, row[by])))];
      expect(guide).toContain(`\n${lines.join('\n')}\n`);
    }
  });
});

describeEachDatabase('canaries', (database, kind) => {
  const dealt = shareOf(kind, tried);
  /** In short runs each of everyone asks one of the databases. */
  const dealtEveryone = shareOf(kind, everyone);
  const planter = new Planter();
  const { plants } = planter;
  const sightings = new Sightings(plants);
  let view: WidestView;
  let before: unknown;
  let library: Memhall;

  const openLibrary = () => {
    const { dataDirectory = '', databaseUrl } = database().flags;
    return openMemhall({ dataDirectory, embedder: 'none', ...(databaseUrl && { databaseUrl }) });
  };

  beforeAll(async () => {
    library = await openLibrary();
    for (const tenant of tenants) await planter.plantByLibrary(library, tenant);
    await library.close();
    planter.server = await startTestServer(database(), { pluginTenant });
    await planter.plantUser(first.tenant, first.user);
    await planter.plantByPlugin(first.user);
    before = await rankingOf(first);
    for (const tenant of tenants) {
      for (const user of users) {
        if (tenant !== first.tenant || user !== first.user) await planter.plantUser(tenant, user);
      }
      await planter.plantShared(tenant);
    }
    view = await WidestView.open(database().config());
    sightings.locate(await view.memories());
  }, 120_000);
  afterAll(async () => {
    await view?.close();
    await planter.server.close();
    await library?.close();
  });

  const idsOf = (isThere: (plant: Plant) => boolean) => sightings.idsOf(plants.filter(isThere));

  async function recall(reader: Reader, body: object) {
    const call = {
      method: 'POST',
      path: '/v1/recall',
      body: { limit: 100, explain: true, ...body, ...forUser(reader) },
    };
    return (await planter.send(reader, call)).results;
  }

  /** Returns ids, copies and scores of what a user owns or wrote. */
  async function rankingOf(reader: Reader) {
    const results = await recall(reader, { query, scopes: ['own'] });
    return results.map(({ id, also, score, explain }: Record<string, never>) => ({ id, also, score, explain }));
  }

  it('are planted in every row of the table, as the memories they should be', () => {
    expect(sorted(plants.map(({ row }) => row))).toEqual(sorted(Object.keys(whatFindsWhat)));
    expect(plants.filter(({ row, ids }) => (ids.length === 0) !== (row === 'state'))).toEqual([]);
    const flushed = plants.filter(({ row }) => row === 'flushed');
    expect(flushed.map(({ ids }) => ids.length)).toEqual(flushed.map(() => 3));
  });

  it.each(dealtEveryone)('/v1/recall finds what the table says in each scope, as %s', async (_, reader) => {
    for (const scopes of scopeSets) {
      const text = JSON.stringify(await recall(reader, { query, scopes }));
      sightings.expectExactly(text, (plant) => finds(reader, plant, 'recall', scopes));
    }
  });

  const holders = dealtEveryone.filter(([, { service }]) => service === undefined);
  it.each(holders)('search_memory of MCP finds everything that may be read, as %s', async (_, reader) => {
    const text = await planter.callTool(reader, 'search_memory', { query, limit: 100 });
    sightings.expectFound(text, (plant) => finds(reader, plant, 'mcp'));
  });

  it.each(dealt)('/v1/recall asked for single words answers only with what may be read, as %s', async (_, reader) => {
    for (const plant of sightings.sampleFor(reader)) {
      if (plant.word === '') continue;
      const text = JSON.stringify(await recall(reader, { query: plant.word }));
      sightings.expectFound(text, (one) => one === plant && mayRead(reader, one));
    }
  });

  it.each(dealtEveryone)('GET /v1/memories lists everything that may be read, as %s', async (_, reader) => {
    let text = '';
    let cursor = '';
    do {
      const page = await planter.send(reader, { path: `/v1/memories?limit=50${onBehalf(reader, '&')}${cursor}` });
      text += JSON.stringify(page.memories);
      cursor = page.next_cursor === undefined ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    sightings.expectExactly(text, (plant) => mayRead(reader, plant));
  });

  it.each(dealt)('ids lead only to what may be read, and changed, as %s', async (_, reader) => {
    const token = await planter.tokenOf(reader);
    const ask = async (id: string) => {
      const path = `/v1/memories/${id}`;
      const stale = { path, headers: { 'if-match': '"stale"' }, token };
      const asked = { query, memory_id: id, limit: 1, ...forUser(reader) };
      const calls: Call[] = [
        { path: `${path}${onBehalf(reader, '?')}`, token },
        { method: 'POST', path: '/v1/recall:why', body: asked, token },
        { ...stale, method: 'PATCH', body: { tags: ['x'], ...forUser(reader) } },
        { ...stale, method: 'DELETE', path: `${path}?copies=true${onBehalf(reader, '&')}` },
      ];
      const answers = [];
      for (const call of calls) answers.push(await planter.server.call(call));
      return answers;
    };
    const missing = randomUUID();
    const bodies = (answers: readonly Answer[], id: string) =>
      withoutRequest(JSON.stringify(answers.map(({ status, body }) => [status, body])).replaceAll(id, '<id>'));
    const expectedBodies = bodies(await ask(missing), missing);
    const readable = sightings.readableIds(reader);
    for (const plant of sightings.sampleFor(reader)) {
      const [id = ''] = plant.ids;
      const answers = await ask(id);
      const refusal = changeRefusal(reader, plant);
      const read = mayRead(reader, plant) ? 200 : 404;
      const statuses = answers.map(({ status }) => status);
      expect([plant, ...statuses]).toEqual([plant, read, read, refusal, refusal]);
      if (read === 404) expect(bodies(answers, id)).toEqual(expectedBodies);
      const shown = sightings.idsIn(JSON.stringify(answers.map(({ body }) => body)));
      expect(shown.filter((one) => one !== id && !readable.includes(one))).toEqual([]);
    }
  });

  it.each(counted)(
    'as many statements are sent for what may not be read as for what is not there, as %s',
    async (_, reader) => {
      const absent = () => view.countStatements(reader, toCalls(randomUUID(), 'qqjjjjx'));
      await absent();
      const [one, other] = [await absent(), await absent()];
      const expectedCounts = one.map((count, place) => Math.min(count, other[place] ?? count));
      expect(Math.min(...expectedCounts)).toBeGreaterThan(0);
      for (const plant of sightings.sampleFor(reader)) {
        if (mayRead(reader, plant)) continue;
        const text = plant.word === '' ? 'qqjjjjx' : plant.word;
        const counts = await view.countStatements(reader, toCalls(plant.ids[0] ?? '', text), expectedCounts);
        expect([plant, counts]).toEqual([plant, expectedCounts]);
      }
    },
  );

  it.each(gatewayUsers)('the gateway finds all memory of %s', async (_, reader) => {
    const chat = planter.gatewayUsers.get(`${reader.tenant} ${reader.user}`);
    const found = await chat?.found(query, { scope: ['all_user_memory'], top_k: 100 });
    sightings.expectFound(JSON.stringify(found), (plant) => finds(reader, plant, 'gateway'));
  });

  it.each(dealtEveryone)('context:assemble adds memories to the documents, as %s', async (_, reader) => {
    const { documents, memories } = await planter.send(reader, {
      method: 'POST',
      path: `/v1/tenants/${reader.tenant}/users/${reader.user}/context:assemble`,
      body: { profile_id: 'project-copilot-v1', query, token_budget: 100_000 },
    });
    const isFound = (plant: Plant) => finds(reader, plant, 'context');
    sightings.expectFound(JSON.stringify(memories), (plant) => plant.row !== 'document' && isFound(plant));
    sightings.expectFound(JSON.stringify(documents), (plant) => plant.row === 'document' && isFound(plant));
  });

  it.each(dealtEveryone)('semantic queries return semantic entries only, as %s', async (_, reader) => {
    const body = { query, top_k: 100, ...forUser(reader) };
    const found = await planter.send(reader, { method: 'POST', path: '/v1/memory/semantic/query', body });
    const isEntry = ({ row }: Plant) => row === 'semantic' || row === 'published';
    const isWanted = (plant: Plant) => isEntry(plant) && mayRead(reader, plant);
    sightings.expectExactly(JSON.stringify(found.entries), isWanted);
    expect(found.count).toBe(idsOf(isWanted).length);
  });

  it.each(dealtEveryone)('provider recall searches the notes it names, as %s', async (_, reader) => {
    const { agent, crew } = reader;
    const owners = { ...(agent && { agent_id: agent }), ...(crew && { crew_id: crew }) };
    const body = { workspace_id: workspaceOf(reader), ...owners, query, limit: 20 };
    const found = await planter.send(reader, { method: 'POST', path: '/v1/provider/recall', body });
    const owner = agent ? `agent:${agent}` : crew ? `crew:${crew}` : 'workspace';
    sightings.expectFound(JSON.stringify(found), (plant) => plant.noteOwner === owner && mayRead(reader, plant));
  });

  it.each(namespaces)('the plugin listener searches only the namespace %s of its tenant', async (namespace) => {
    const response = await fetch(`${planter.server.pluginUrl}/v1/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ namespaces: [namespace], query, limit: 100 }),
    });
    const found = JSON.stringify(await response.json());
    sightings.expectExactly(found, (plant) => plant.tenant === pluginTenant && namespaceOf(plant) === namespace);
  });

  askForExport(dealtEveryone, { planter, sightings });
  askClient(dealt, { planter, sightings });
  askCommands(dealt, { flags: () => flagsOf(database()), sightings });
  askForChanges(dealtEveryone, { planter, sightings });
  askForFacts(dealt, { planter, sightings, view: () => view });

  it('memories of others change neither the order nor the scores of one’s own', async () => {
    const after = await rankingOf(first);
    const rounded = (ranking: unknown) =>
      JSON.parse(JSON.stringify(ranking), (_, value) => (typeof value === 'number' ? Math.round(value * 1e4) : value));
    expect(rounded(after)).toEqual(rounded(before));
  });

  it.each(dealtEveryone)('the database alone lets nobody read or change more, as %s', async (_, reader) => {
    const readable = sightings.readableIds(reader);
    const owned = idsOf((plant) => mayWrite(reader, plant) && namespaceOf(plant) === undefined);
    const scopes = await view.readScopes(reader);
    expect(scopes.length).toBeGreaterThan(0);
    for (const scope of scopes) {
      const { read, updated, deleted } = await view.reach(scope);
      expect(read.sort()).toEqual(readable);
      expect(updated.sort()).toEqual(owned);
      expect(deleted.sort()).toEqual(owned);
      expect(await view.additions(scope, targetsBesides(reader))).toEqual([]);
    }
  });

  it.each(dealtEveryone)(
    'the database lets a write reach the namespace it is for, and no other, as %s',
    async (_, reader) => {
      for (const namespace of namespaces) {
        const isThere = (one: Plant) => one.tenant === reader.tenant && namespaceOf(one) === namespace;
        const plant = plants.find(isThere);
        const scope = await view.writeScope(reader, namespace);
        expect([namespace, scope !== undefined]).toEqual([namespace, plant !== undefined && mayWrite(reader, plant)]);
        if (scope === undefined) continue;
        const wanted = idsOf((one) => isThere(one) || (mayWrite(reader, one) && namespaceOf(one) === undefined));
        const { updated, deleted } = await view.reach(scope);
        expect([updated.sort(), deleted.sort()]).toEqual([wanted, wanted]);
      }
    },
  );

  it('copies are forgotten where the caller may write, and nowhere else', async () => {
    const content = 'Gneissite is green.';
    const write = async (reader: Reader, path: string, more: object = {}) => {
      const answer = await planter.send(reader, { method: 'POST', path, body: { content, ...more } });
      return { id: answer.memory?.id ?? answer.id, of: `${reader.user} ${path} ${JSON.stringify(more)}` };
    };
    const ann: Reader = { name: 'Ann', tenant: first.tenant, user: 'ann', teams: ['blue'] };
    const bob: Reader = { ...ann, name: 'Bob', user: 'bob' };
    const namespace = { namespace: 'team:blue' };
    const own = [await write(ann, '/v1/remember'), await write(ann, '/v1/memory/semantic')];
    own.push(await write(ann, '/v1/remember', { namespace: 'workspace:ann', kind: 'fact' }));
    const others = [
      await write(ann, '/v1/memory/semantic', { is_public: true }),
      await write(ann, '/v1/remember', namespace),
      await write(bob, '/v1/remember', { ...namespace, kind: 'fact' }),
      await write(bob, '/v1/remember'),
      await write(bob, '/v1/memory/semantic', { is_public: true }),
      await write({ ...ann, tenant: 'south' }, '/v1/remember'),
    ];
    await planter.send(ann, { method: 'DELETE', path: `/v1/memories/${own[0]?.id}?copies=true` });
    const left = new Set((await view.memories()).map(({ id }) => id));
    expect(own.filter(({ id }) => left.has(id))).toEqual([]);
    expect(others.filter(({ id }) => !left.has(id))).toEqual([]);
  });

  describe('in the library', () => {
    beforeAll(async () => {
      await view.close();
      await planter.server.close();
      library = await openLibrary();
    });

    it.each(dealtEveryone)('recall finds everything that may be read, as %s', async (_, reader) => {
      const { tenant, user, workspace, teams, org, agent, crew } = reader;
      const memory = library.as({
        ...{ tenant, user, teams: teams ?? [], namespaces: reader.namespaces ?? [] },
        ...(workspace && { workspace }),
        ...(org && { org }),
        ...(agent && { agent }),
        ...(crew && { crew }),
      });
      const text = JSON.stringify(await memory.recall(query, { limit: 100 }));
      sightings.expectExactly(text, (plant) => mayRead(reader, plant));
    });
  });
});

/** Returns what somebody can do with an id, and with a text. */
function toCalls(id: string, text: string): EngineCall[] {
  const query = { text, limit: 10 };
  const stale = { kind: 'one-of', etags: ['stale'] } as const;
  return [
    (engine, member) => getAny(engine, member, id),
    (engine, member) => updateAny(engine, member, id, { tags: ['x'] }, stale),
    (engine, member) => forgetAny(engine, member, id, { precondition: stale, copies: true }),
    (engine, member) => whyRecalled(engine, member, id, query),
    (engine, member) => recallAny(engine, member, query),
    (engine, member) => recallAnySessions(engine, member, query),
    (engine, member) => listFacts(engine, member, { subject: text, limit: 10 }),
  ];
}

/** Returns the status of a change that could only fail because it is stale. */
function changeRefusal(reader: Reader, plant: Plant): number {
  if (!mayRead(reader, plant)) return 404;
  if (['resource', 'document', 'file', 'notes'].includes(plant.row)) return 409;
  return mayWrite(reader, plant) ? 412 : 403;
}

/** Returns places that a reader's transaction must not add a memory to. */
function targetsBesides({ tenant, user, ...reader }: Reader) {
  const other = user === 'bob' ? 'ann' : 'bob';
  const elsewhere = tenants.find((one) => one !== tenant) ?? '';
  const target = { tenant, user, namespace: null, isPublic: false };
  return [
    { ...target, user: other },
    { ...target, user: other, isPublic: true },
    { ...target, user: `workspace/${reader.workspace ?? user}` },
    { ...target, namespace: `workspace:${reader.workspace ?? user}` },
    { ...target, namespace: 'team:blue' },
    { ...target, tenant: elsewhere },
  ];
}
