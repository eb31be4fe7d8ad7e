import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Memhall, openMemhall } from '../src/open-memhall.js';
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
import { everywhereWord, Planter, pluginTenant, wordPattern } from './support/canaries/plant.js';
import { type Cells, type Row, whatFindsWhat } from './support/canaries/what-finds-what.js';
import { WidestView } from './support/canaries/widest-view.js';
import { describeEachDatabase } from './support/databases.js';
import { startTestServer } from './support/server.js';

const isFull = process.env.MEMHALL_TEST_LONG !== undefined;
const tenants = [pluginTenant, 'south'];
const named = (readers: readonly Reader[]) =>
  readers.map((reader) => [`${reader.name} (${reader.tenant})`, reader] as const);
const everyone = named(tenants.flatMap(readersOf));
/** Who tries single words and ids: in short runs all of one tenant, and one of the other. */
const tried = everyone.filter(([, { tenant, name }]) => isFull || tenant === pluginTenant || name === 'Ann');
const gatewayUsers = named(tenants.flatMap((tenant) => users.map((user) => ({ name: user, tenant, user }))));
const first: Reader = { name: 'the user Atlas', tenant: pluginTenant, user: 'atlas' };
const query = everywhereWord;
const scopeSets: readonly (readonly Scope[])[] = [allScopes, ['own'], ['shared'], ['public']];
const idPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const namespaces = [
  ...['workspace:ann', 'workspace:bob', 'workspace:atlas', 'workspace:room'],
  ...['team:atlas', 'team:blue', 'org:atlas', 'org:corp', 'custom:birds'],
];
const sorted = (values: Iterable<string>) => [...new Set(values)].sort();

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

describeEachDatabase('canaries', (database) => {
  const planter = new Planter();
  const { plants } = planter;
  const known = new Set<string>();
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
    for (const { id, content } of await view.memories()) {
      known.add(id);
      const [word] = content.toLowerCase().match(wordPattern) ?? [];
      if (word !== undefined) plants.find((plant) => plant.word === word)?.ids.push(id);
    }
  }, 120_000);
  afterAll(async () => {
    await view?.close();
    await planter.server.close();
    await library?.close();
  });

  const expected = (isThere: (plant: Plant) => boolean) => plants.filter(isThere);
  const idsOf = (wanted: readonly Plant[]) => sorted(wanted.flatMap(({ ids }) => ids));
  const idsIn = (text: string) => sorted((text.match(idPattern) ?? []).filter((id) => known.has(id)));
  const wordsIn = (text: string) => describeWords(text.toLowerCase().match(wordPattern) ?? []);
  const wordsOf = (wanted: readonly Plant[]) =>
    describeWords(wanted.map(({ word }) => word).filter((word) => word !== ''));

  /** Returns the words with what they stand for, so that a failure can be read. */
  function describeWords(words: readonly string[]): string[] {
    return sorted(words).map((word) => {
      const { row, tenant, writer, place = '', noteOwner = '' } = plants.find((one) => one.word === word) as Plant;
      return [word, row, tenant, writer, place, noteOwner].join(' ');
    });
  }

  /** Expects the planted texts in a response, and no other texts or ids. */
  function expectFound(text: string, wanted: readonly Plant[]) {
    expect(wordsIn(text)).toEqual(wordsOf(wanted));
    expect(idsIn(text).filter((id) => !wanted.some(({ ids }) => ids.includes(id)))).toEqual([]);
  }

  /** Expects the planted texts and all of their ids in a response, and no others. */
  function expectExactly(text: string, wanted: readonly Plant[]) {
    expect(wordsIn(text)).toEqual(wordsOf(wanted));
    expect(idsIn(text)).toEqual(idsOf(wanted));
  }

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

  /** Returns one plant of each kind for each way a reader is related to it, or all of them in long runs. */
  function sampleFor(reader: Reader): Plant[] {
    const seen = new Set<string>();
    return plants.filter((plant) => {
      const key = [plant.row, plant.tenant, mayRead(reader, plant), mayWrite(reader, plant)].join();
      const isNew = !seen.has(key);
      seen.add(key);
      return plant.ids.length > 0 && (isFull || isNew);
    });
  }

  it('are planted in every row of the table, as the memories they should be', () => {
    expect(sorted(plants.map(({ row }) => row))).toEqual(sorted(Object.keys(whatFindsWhat)));
    expect(plants.filter(({ row, ids }) => (ids.length === 0) !== (row === 'state'))).toEqual([]);
    const flushed = plants.filter(({ row }) => row === 'flushed');
    expect(flushed.map(({ ids }) => ids.length)).toEqual(flushed.map(() => 3));
  });

  it.each(everyone)('/v1/recall finds what the table says in each scope, as %s', async (_, reader) => {
    for (const scopes of scopeSets) {
      const text = JSON.stringify(await recall(reader, { query, scopes }));
      expectExactly(
        text,
        expected((plant) => finds(reader, plant, 'recall', scopes)),
      );
    }
  });

  const holders = everyone.filter(([, { service }]) => service === undefined);
  it.each(holders)('search_memory of MCP finds everything that may be read, as %s', async (_, reader) => {
    const text = await planter.callTool(reader, 'search_memory', { query, limit: 100 });
    expectFound(
      text,
      expected((plant) => finds(reader, plant, 'mcp')),
    );
  });

  it.each(tried)('/v1/recall asked for single words answers only with what may be read, as %s', async (_, reader) => {
    for (const plant of sampleFor(reader)) {
      if (plant.word === '') continue;
      expectFound(JSON.stringify(await recall(reader, { query: plant.word })), mayRead(reader, plant) ? [plant] : []);
    }
  });

  it.each(everyone)('GET /v1/memories lists everything that may be read, as %s', async (_, reader) => {
    let text = '';
    let cursor = '';
    do {
      const page = await planter.send(reader, { path: `/v1/memories?limit=50${onBehalf(reader, '&')}${cursor}` });
      text += JSON.stringify(page.memories);
      cursor = page.next_cursor === undefined ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expectExactly(
      text,
      expected((plant) => mayRead(reader, plant)),
    );
  });

  it.each(tried)('ids lead only to what may be read, and changed, as %s', async (_, reader) => {
    const token = await planter.tokenOf(reader);
    const headers = { 'if-match': '"stale"' };
    for (const plant of sampleFor(reader)) {
      const path = `/v1/memories/${plant.ids[0]}`;
      const got = await planter.server.call({ path: `${path}${onBehalf(reader, '?')}`, token });
      const body = { tags: ['x'], ...forUser(reader) };
      const changed = await planter.server.call({ method: 'PATCH', path, headers, body, token });
      const gone = await planter.server.call({
        method: 'DELETE',
        path: `${path}${onBehalf(reader, '?')}`,
        headers,
        token,
      });
      const refusal = changeRefusal(reader, plant);
      expect([plant, got.status, changed.status, gone.status]).toEqual([
        plant,
        mayRead(reader, plant) ? 200 : 404,
        refusal,
        refusal,
      ]);
    }
  });

  it.each(gatewayUsers)('the gateway finds all memory of %s', async (_, reader) => {
    const chat = planter.gatewayUsers.get(`${reader.tenant} ${reader.user}`);
    const found = await chat?.found(query, { scope: ['all_user_memory'], top_k: 100 });
    expectFound(
      JSON.stringify(found),
      expected((plant) => finds(reader, plant, 'gateway')),
    );
  });

  it.each(everyone)('context:assemble adds memories to the documents, as %s', async (_, reader) => {
    const { documents, memories } = await planter.send(reader, {
      method: 'POST',
      path: `/v1/tenants/${reader.tenant}/users/${reader.user}/context:assemble`,
      body: { profile_id: 'project-copilot-v1', query, token_budget: 100_000 },
    });
    const wanted = expected((plant) => finds(reader, plant, 'context'));
    const isDocument = ({ row }: Plant) => row === 'document';
    expectFound(
      JSON.stringify(memories),
      wanted.filter((plant) => !isDocument(plant)),
    );
    expectFound(JSON.stringify(documents), wanted.filter(isDocument));
  });

  it.each(everyone)('semantic queries return semantic entries only, as %s', async (_, reader) => {
    const body = { query, top_k: 100, ...forUser(reader) };
    const found = await planter.send(reader, { method: 'POST', path: '/v1/memory/semantic/query', body });
    const isEntry = ({ row }: Plant) => row === 'semantic' || row === 'published';
    const wanted = expected((plant) => isEntry(plant) && mayRead(reader, plant));
    expectExactly(JSON.stringify(found.entries), wanted);
    expect(found.count).toBe(idsOf(wanted).length);
  });

  it.each(everyone)('provider recall searches the notes it names, as %s', async (_, reader) => {
    const { agent, crew } = reader;
    const owners = { ...(agent && { agent_id: agent }), ...(crew && { crew_id: crew }) };
    const body = { workspace_id: workspaceOf(reader), ...owners, query, limit: 20 };
    const found = await planter.send(reader, { method: 'POST', path: '/v1/provider/recall', body });
    const owner = agent ? `agent:${agent}` : crew ? `crew:${crew}` : 'workspace';
    expectFound(
      JSON.stringify(found),
      expected((plant) => plant.noteOwner === owner && mayRead(reader, plant)),
    );
  });

  it.each(namespaces)('the plugin listener searches only the namespace %s of its tenant', async (namespace) => {
    const response = await fetch(`${planter.server.pluginUrl}/v1/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ namespaces: [namespace], query, limit: 100 }),
    });
    const wanted = expected((plant) => plant.tenant === pluginTenant && namespaceOf(plant) === namespace);
    expectExactly(JSON.stringify(await response.json()), wanted);
  });

  it('memories of others change neither the order nor the scores of one’s own', async () => {
    const after = await rankingOf(first);
    const rounded = (ranking: unknown) =>
      JSON.parse(JSON.stringify(ranking), (_, value) => (typeof value === 'number' ? Math.round(value * 1e4) : value));
    expect(rounded(after)).toEqual(rounded(before));
  });

  it.each(everyone)('the database alone lets nobody read or change more, as %s', async (_, reader) => {
    const readable = idsOf(expected((plant) => mayRead(reader, plant)));
    const owned = idsOf(expected((plant) => mayWrite(reader, plant) && namespaceOf(plant) === undefined));
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

  it.each(everyone)(
    'the database lets a write reach the namespace it is for, and no other, as %s',
    async (_, reader) => {
      for (const namespace of namespaces) {
        const [plant] = expected((one) => one.tenant === reader.tenant && namespaceOf(one) === namespace);
        const scope = await view.writeScope(reader, namespace);
        expect([namespace, scope !== undefined]).toEqual([namespace, plant !== undefined && mayWrite(reader, plant)]);
        if (scope === undefined) continue;
        const there = expected((one) => one.tenant === reader.tenant && namespaceOf(one) === namespace);
        const owned = expected((one) => mayWrite(reader, one) && namespaceOf(one) === undefined);
        const { updated, deleted } = await view.reach(scope);
        expect([updated.sort(), deleted.sort()]).toEqual([idsOf([...there, ...owned]), idsOf([...there, ...owned])]);
      }
    },
  );

  describe('in the library', () => {
    beforeAll(async () => {
      await view.close();
      await planter.server.close();
      library = await openLibrary();
    });

    it.each(everyone)('recall finds everything that may be read, as %s', async (_, reader) => {
      const { tenant, user, workspace, teams, org, agent, crew } = reader;
      const memory = library.as({
        ...{ tenant, user, teams: teams ?? [], namespaces: reader.namespaces ?? [] },
        ...(workspace && { workspace }),
        ...(org && { org }),
        ...(agent && { agent }),
        ...(crew && { crew }),
      });
      const text = JSON.stringify(await memory.recall(query, { limit: 100 }));
      expectExactly(
        text,
        expected((plant) => mayRead(reader, plant)),
      );
    });
  });
});

function forUser({ service, user }: Reader): object {
  return service === undefined ? {} : { user_id: user };
}

function onBehalf({ service, user }: Reader, sign: '?' | '&'): string {
  return service === undefined ? '' : `${sign}user_id=${user}`;
}

function namespaceOf({ row, place }: Plant): string | undefined {
  const { owner } = whatFindsWhat[row];
  if (owner === 'workspace namespace') return `workspace:${place}`;
  if (owner === 'team' || owner === 'org') return `${owner}:${place}`;
  return owner === 'granted namespace' ? place : undefined;
}

/** Returns the status of a change that could only fail because it is stale. */
function changeRefusal(reader: Reader, plant: Plant): number {
  if (!mayRead(reader, plant)) return 404;
  if (['resource', 'document', 'notes'].includes(plant.row)) return 409;
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
