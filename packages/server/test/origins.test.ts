import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TokenRequest } from '../src/cli/sign-token.js';
import { mainSurfaces, pluginSurfaces } from '../src/composition/surfaces.js';
import { customKind } from '../src/engine/memories/kinds.js';
import { remember } from '../src/engine/memories/remember.js';
import { updateMemory } from '../src/engine/memories/update-memory.js';
import { surfaceOf } from '../src/engine/operation-surface.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { expectProblem } from './support/expect-problem.js';
import { GatewayUser } from './support/gateway-user.js';
import { useMcpClients } from './support/mcp-client.js';
import { pastEverything } from './support/past-everything.js';
import { providerClient } from './support/provider.js';
import { type Call, send, useServer } from './support/server.js';

interface Row extends Record<string, unknown> {
  content: string;
  surface: string;
  author: string;
  trust: string;
  created_at: Date;
  recorded_at: Date;
}

describe('operations', () => {
  const routesOf = (surfaces: typeof mainSurfaces | typeof pluginSurfaces) =>
    surfaces.flatMap(({ name, routes }) => routes.map(({ operation }) => ({ name, operation })));
  const routes = [...routesOf(mainSurfaces), ...routesOf(pluginSurfaces)];

  it('belong to the surface that serves them', () => {
    const wrong = routes
      .filter(({ name }) => !['admin', 'chat', 'console', 'mcp-metadata', 'operations'].includes(name))
      .filter(
        ({ name, operation }) => surfaceOf(operation) !== (name === 'one-memory' ? 'api' : name.replace('-', '_')),
      );
    expect(wrong).toEqual([]);
  });

  it('that bring in memories of other systems are imports', () => {
    const admin = routes.filter(({ name, operation }) => name === 'admin' && operation.startsWith('memories.'));
    const surfaces = [...admin.map(({ operation }) => operation), 'semantic.migrate'].map(surfaceOf);
    expect([admin.length > 0, new Set(surfaces)]).toEqual([true, new Set(['import'])]);
  });

  it.each([
    ['memories.remember', 'library'],
    ['cli.remember', 'cli'],
    ['mcp.commit_memory', 'mcp'],
    ['conversations.extract', 'gateway'],
    ['conversations.replay', 'documents'],
    ['quarantine.add', 'provider'],
    ['constructor', 'library'],
    ['toString.x', 'library'],
  ])('without a route have one too: %s', (operation, surface) => {
    expect(surfaceOf(operation)).toBe(surface);
  });
});

describeOneDatabase('the origin of a memory', (database) => {
  const server = useServer(database, { cutover: 'true' });
  const connect = useMcpClients();
  const newUser = () => `u-${randomUUID()}`;

  async function post(path: string, body: unknown, token: Partial<TokenRequest>, more: Partial<Call> = {}) {
    const answer = await server().call({ method: 'POST', path, body, token: await server().token(token), ...more });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer;
  }

  const originsWhere = (condition: string) =>
    pastEverything<Row>(
      database(),
      `SELECT content, surface, author, trust, created_at, recorded_at FROM memhall.memories WHERE ${condition} ORDER BY seq`,
    );

  /** Returns the origins of a user's memories, in order of arrival. */
  async function originsOf(user: string, kind?: string) {
    const ofKind = kind === undefined ? '' : ` AND kind = '${kind}'`;
    const rows = await originsWhere(`user_id = '${user}'${ofKind}`);
    return rows.map(({ surface, author, trust }) => [surface, author, trust].join(' '));
  }

  it.each<[string, Partial<TokenRequest>, string]>([
    ['the user', {}, 'memory_service ME user'],
    ['an app with which the user signed in', { claims: { azp: 'app' } }, 'memory_service ME user'],
    ['a service with a token of the user', { service: 'app' }, 'memory_service app agent'],
    ['a service', { user: 'bot', roles: ['service'] }, 'memory_service bot agent'],
    ['an admin', { user: 'root', roles: ['admin'] }, 'memory_service root operator'],
    ['a token with a cap', { claims: { max_trust: 'tool' } }, 'memory_service ME tool'],
    ['a token with a cap that is no lower', { claims: { max_trust: 'operator' } }, 'memory_service ME user'],
  ])('of the memory service names %s', async (_, token, expected) => {
    const me = newUser();
    await post('/v1/memory/semantic', { content: 'Tea.', user_id: me }, { user: me, ...token });
    expect(await originsOf(me)).toEqual([expected.replace('ME', me)]);
  });

  it('follows the role of the speaker, but not the type of a procedure', async () => {
    const me = newUser();
    const entries = ['user', 'assistant', 'system', 'tool'].map((role) => ({ agent_id: 'a', role, content: role }));
    await post('/v1/memory/episodic', { entries, user_id: me }, { user: 'bot', roles: ['service'] });
    const trusts = (await originsOf(me)).map((origin) => origin.split(' ')[2]);
    expect(trusts).toEqual(['user', 'agent', 'agent', 'tool']);
    const procedure = { agent_id: 'a', procedure_type: 'skill', trigger_condition: 'always', content: 'Be brief.' };
    await post('/v1/memory/procedural', procedure, { user: me });
    expect(await originsOf(me, 'procedural')).toEqual([`memory_service ${me} user`]);
  });

  it('of what is derived from a chat has the lowest trust of its messages', async () => {
    const user = await GatewayUser.of(server());
    const at = (role: string, content: string) => ({ role, content });
    await user.add('one', [at('user', 'I live in Basel.'), at('assistant', 'Noted, you live in Basel.')]);
    await user.flush('one');
    await user.add('two', [at('user', 'I work as a nurse.'), at('tool', 'Weather: rain.')]);
    await user.flush('two');
    const of = (trust: string) => `gateway ${user.user} ${trust}`;
    expect(await originsOf(user.user, 'episodic')).toEqual(['user', 'agent', 'user', 'tool'].map(of));
    expect(await originsOf(user.user, 'event')).toEqual(['agent', 'tool'].map(of));
    const facts = await originsOf(user.user, 'fact');
    expect(facts.length).toBeGreaterThan(0);
    expect(new Set(facts)).toEqual(new Set([of('user')]));
  });

  it('of an uploaded file is the file, even if the user uploads it', async () => {
    const user = await GatewayUser.of(server());
    expect((await user.upload('The office is in Porto.')).status).toBeLessThan(300);
    expect(await originsOf(user.user)).toEqual([`gateway ${user.user} tool`]);
  });

  it('of an event is who wrote it', async () => {
    const me = newUser();
    const event = { digest: 'We chose PostgreSQL.', keywords: [], project_ids: [] };
    const path = `/v1/tenants/t1/users/${me}/events`;
    await post(path, { event }, { user: me });
    await post(path, { event }, { user: 'bot', service: 'planner', roles: ['service'] });
    expect(await originsOf(me)).toEqual([`documents ${me} user`, 'documents bot agent']);
  });

  it('of what a model stores is the model, and of the plugin listener anybody', async () => {
    const me = newUser();
    const token = await server().token({ user: me });
    const { call } = await connect(server().url, token);
    await call('commit_memory', { content: 'Rex is a dog.' });
    expect(await originsOf(me)).toEqual([`mcp ${me} agent`]);
    const url = server().pluginUrl ?? '';
    const namespace = `team:${randomUUID()}`;
    const made = await send(url, { method: 'PUT', path: `/v1/namespaces/${namespace}`, body: { kind: 'team' } });
    expect(made.status).toBeLessThan(300);
    const body = { content: 'Rex is a cat.', kind: 'fact', source: 'user' };
    const stored = await send(url, { method: 'POST', path: `/v1/namespaces/${namespace}/memories`, body });
    expect(stored.status, JSON.stringify(stored.body)).toBeLessThan(300);
    expect(await originsWhere(`namespace = '${namespace}'`)).toMatchObject([
      { surface: 'plugin', author: 'memory-plugin', trust: 'external' },
    ]);
  });

  it('of imported memories is the import, recorded now and created then', async () => {
    const id = randomUUID();
    const memory = {
      ...{ id, content: 'The key is under the mat.', namespace: `org:${id}`, kind: 'fact', source: 'user' },
      propagation: { legacy: { workspace_id: 'w', scope: 'LOCAL', created_at: '2020-01-01T00:00:00Z' } },
    };
    const before = Date.now();
    await post('/admin/memories/import', { memories: [memory] }, { user: 'root', roles: ['admin'] });
    const [row] = await originsWhere(`id = '${id}'`);
    expect(row).toMatchObject({ surface: 'import', author: 'root', trust: 'external' });
    expect(row?.created_at).toEqual(new Date('2020-01-01T00:00:00Z'));
    expect(row?.recorded_at.getTime()).toBeGreaterThanOrEqual(before);
  });

  it('of a piece of a tier is its writer, with the lowest trust of the lines it has', async () => {
    const workspace = `w-${randomUUID()}`;
    const client = providerClient(server, { workspace, agent: 'a1', crew: 'c1' });
    await client.retain({ tier: 'pins', content: '# One\nGreen tea.\n# Two\nBlack tea.', mode: 'replace' });
    const piecesOf = () => originsWhere(`kind = 'tier'`);
    const pieces = await piecesOf();
    expect(pieces.map(({ surface, trust }) => `${surface} ${trust}`)).toEqual(['provider user', 'provider user']);
    const token = await server().token({ claims: { workspace_id: workspace, agent_id: 'a1', crew_id: 'c1' } });
    const { call } = await connect(server().url, token);
    await call('memory_write', { tier: 'pins', content: 'And water.', mode: 'append' });
    expect(await piecesOf()).toMatchObject([
      { content: '# One\nGreen tea.', surface: 'provider', trust: 'user' },
      { content: '# Two\nBlack tea.\nAnd water.', surface: 'mcp', trust: 'agent' },
    ]);
    await client.retain({ tier: 'pins', content: 'And milk.', mode: 'append' });
    expect((await piecesOf())[1]).toMatchObject({ surface: 'provider', trust: 'agent' });
  });

  it.each([null, 5, '', 'User', 'admin', ['user']])(
    'is not decided by the cap %j: the token is refused',
    async (cap) => {
      const token = await server().token({ claims: { max_trust: cap as never } });
      expectProblem(await server().call({ path: '/v1/memory/semantic', token }), 'UNAUTHENTICATED');
    },
  );
});

describeOneDatabase('the origin of a changed memory', (database) => {
  const running = useEngine(database);
  const engine = () => running().engine;
  const kind = customKind('origin');
  const as = (userId: string, operation: string) => ({ ...callerOf(userId), operation });
  const originOf = ({ surface, author, trust }: { surface: string; author: string; trust: string }) =>
    [surface, author, trust].join(' ');

  it('is that of the writer of the present text', async () => {
    const [user, model] = [as('edits', 'semantic.store'), as('edits', 'mcp.update_memory')];
    const { memory } = await remember(engine(), user, { kind, content: 'Tea.' });
    expect(originOf(memory)).toBe('memory_service edits user');
    const change = async (caller: typeof user, input: Parameters<typeof updateMemory>[3]) => {
      const updated = await updateMemory(engine(), caller, memory.id, input);
      expect(updated?.recordedAt).toEqual(memory.recordedAt);
      return updated && originOf(updated);
    };
    expect(await change(model, { tags: ['drink'] })).toBe('memory_service edits user');
    expect(await change(model, { content: 'Tea.' })).toBe('memory_service edits user');
    expect(await change(model, { content: 'Coffee.' })).toBe('mcp edits agent');
    expect(await change(user, { content: 'Water.' })).toBe('memory_service edits user');
    expect(await change(user, { trust: 'external' })).toBe('memory_service edits external');
    expect(await change(user, { trust: 'user' })).toBe('memory_service edits external');
    expect(await change(model, { content: 'Milk.', trust: 'user' })).toBe('mcp edits agent');
  });

  it('stays that of the most trusted if the same is said again', async () => {
    const say = async (operation: string, content: string) => {
      const { memory } = await remember(engine(), as('says', operation), { kind, content, uniqueContent: true });
      return originOf(memory);
    };
    expect(await say('mcp.commit_memory', 'Tea.')).toBe('mcp says agent');
    expect(await say('semantic.store', 'Tea.')).toBe('memory_service says user');
    expect(await say('mcp.commit_memory', 'Tea.')).toBe('memory_service says user');
    expect(await say('plugin.commit', 'Tea.')).toBe('memory_service says user');
  });

  it('has the trust that was asked for only if that is lower', async () => {
    const store = async (operation: string, trust: 'operator' | 'user' | 'tool') => {
      const { memory } = await remember(engine(), as('asks', operation), { kind, content: 'Tea.', trust });
      return memory.trust;
    };
    expect(await store('semantic.store', 'tool')).toBe('tool');
    expect(await store('semantic.store', 'operator')).toBe('user');
    expect(await store('mcp.commit_memory', 'user')).toBe('agent');
    expect(await store('plugin.commit', 'user')).toBe('external');
  });

  it('keeps the time of recording, whatever creation time is given', async () => {
    const caller = as('dates', 'memories.remember');
    const first = await remember(engine(), caller, { kind, content: 'Tea.', externalId: 'x' });
    const createdAt = new Date('2001-01-01T00:00:00Z');
    const again = await remember(engine(), caller, { kind, content: 'Milk.', externalId: 'x', createdAt });
    expect(again.memory).toMatchObject({ createdAt, recordedAt: first.memory.recordedAt });
  });
});
