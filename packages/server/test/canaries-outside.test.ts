import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMemhall } from '../src/open-memhall.js';
import { allScopes, finds, type Plant, readersOf, type Scope, users } from './support/canaries/cast.js';
import { Planter, pluginTenant, everywhereWord as query, wordPattern } from './support/canaries/plant.js';
import { describeOneDatabase } from './support/databases.js';
import { useFakePlugin } from './support/fake-plugin.js';
import { GatewayUser } from './support/gateway-user.js';
import { startTestServer } from './support/server.js';

const scopeSets: readonly (readonly Scope[])[] = [allScopes, ['own'], ['shared'], ['public']];
const places = [
  ...['ann', 'bob', 'atlas', 'room'].map((place) => ({ row: 'plugin', place }) as const),
  ...['atlas', 'blue'].map((place) => ({ row: 'team', place }) as const),
  ...['atlas', 'corp'].map((place) => ({ row: 'org', place }) as const),
  { row: 'granted', place: 'custom:birds' } as const,
];
const plants: Plant[] = places.map(({ row, place }, number) => ({
  ...{ row, place, tenant: pluginTenant, writer: null, ids: [randomUUID()] },
  word: `qq000${'abcdefghij'[number]}x`.replaceAll('0', 'a'),
}));

function namespaceOf({ row, place = '' }: Plant): string {
  if (row === 'granted') return place;
  return row === 'plugin' ? `workspace:${place}` : `${row}:${place}`;
}

/** The plugin returns everything it has to everybody, whatever namespaces it is asked for. */
describeOneDatabase('canaries in an outside plugin', (database) => {
  const plugin = useFakePlugin();
  const planter = new Planter();
  const environment = () => ({ MEMORY_PLUGIN_URL: plugin.url, MEMORY_PLUGIN_TENANT: pluginTenant });

  beforeAll(async () => {
    plugin.found = plants.map((plant) => ({
      ...{ id: plant.ids[0], namespace: namespaceOf(plant), kind: 'fact', source: 'agent', score: 1 },
      ...{ content: `The ${query} of ${plant.word}.`, created_at: '2026-01-01T00:00:00Z' },
    }));
    planter.server = await startTestServer(database(), {
      memoryPluginUrl: plugin.url,
      memoryPluginTenant: pluginTenant,
    });
  });
  afterAll(() => planter.server.close());

  const wordsIn = (found: unknown) => [...new Set(JSON.stringify(found ?? []).match(wordPattern) ?? [])].sort();
  const wordsOf = (isThere: (plant: Plant) => boolean) =>
    plants
      .filter(isThere)
      .map(({ word }) => word)
      .sort();

  const readers = [pluginTenant, 'south'].flatMap(readersOf);
  it.each(readers.map((reader) => [`${reader.name} (${reader.tenant})`, reader] as const))(
    'are found where the table says, as %s',
    async (_, reader) => {
      const forUser = reader.service === undefined ? {} : { user_id: reader.user };
      for (const scopes of scopeSets) {
        const body = { query, limit: 100, scopes, ...forUser };
        const found = await planter.send(reader, { method: 'POST', path: '/v1/recall', body });
        expect(wordsIn(found)).toEqual(wordsOf((plant) => finds(reader, plant, 'recall', scopes)));
        expect(found.incomplete).toBeUndefined();
      }
      const context = await planter.send(reader, {
        method: 'POST',
        path: `/v1/tenants/${reader.tenant}/users/${reader.user}/context:assemble`,
        body: { profile_id: 'project-copilot-v1', query, token_budget: 100_000 },
      });
      expect(wordsIn(context)).toEqual(wordsOf((plant) => finds(reader, plant, 'context')));
      if (reader.service !== undefined) return;
      const tool = await planter.callTool(reader, 'search_memory', { query, limit: 100 });
      expect(wordsIn(tool)).toEqual(wordsOf((plant) => finds(reader, plant, 'mcp')));
    },
  );

  it.each(users)('are found by the gateway as %s', async (user) => {
    for (const tenant of [pluginTenant, 'south']) {
      const chat = await GatewayUser.of(planter.server, { tenant, user });
      const found = await chat.found(query, { scope: ['all_user_memory'], top_k: 100 });
      expect(wordsIn(found)).toEqual(wordsOf((plant) => finds({ name: user, tenant, user }, plant, 'gateway')));
    }
  });

  it('are found by the library, which says if the plugin does not answer', async () => {
    await planter.server.close();
    const { dataDirectory = '', databaseUrl } = database().flags;
    const options = { dataDirectory, embedder: 'none', logLevel: 'silent', environment: environment() } as const;
    await using library = await openMemhall({ ...options, ...(databaseUrl && { databaseUrl }) });
    const memory = library.as({ tenant: pluginTenant, user: 'ann', teams: ['blue'] });
    const reader = { name: 'Ann', tenant: pluginTenant, user: 'ann', teams: ['blue'] };
    let isIncomplete = false;
    const onIncomplete = () => {
      isIncomplete = true;
    };
    const found = await memory.recall(query, { limit: 100, onIncomplete });
    expect(wordsIn(found)).toEqual(wordsOf((plant) => finds(reader, plant, 'recall')));
    expect(isIncomplete).toBe(false);
    plugin.failsWith = 500;
    expect(await memory.recall(query, { onIncomplete })).toEqual([]);
    expect(isIncomplete).toBe(true);
  });
});
