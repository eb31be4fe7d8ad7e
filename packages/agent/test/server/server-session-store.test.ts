import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { MemoryClient } from '@memhall/client';
import { beforeEach, expect, it } from 'vitest';
import { describeOneDatabase } from '../../../server/test/support/databases.js';
import { findText } from '../../../server/test/support/find-text.js';
import { GatewayUser } from '../../../server/test/support/gateway-user.js';
import { useServer } from '../../../server/test/support/server.js';
import { ServerSessionStore, type ServerSessionStoreOptions } from '../../src/sessions/server/server-session-store.js';
import { callTool } from '../support/scripted-model.js';
import { event, said } from '../support/session-events.js';
import { describeSessionStore } from '../support/session-store-contract.js';
import { useTemporaryDirectory } from '../support/temporary-directory.js';
import { openTestAgent } from '../support/test-agent.js';

let users = 0;

describeOneDatabase('sessions in a server', (database) => {
  const server = useServer(database, { embedder: 'local' });
  const directory = useTemporaryDirectory();
  let client: MemoryClient;
  let user: string;
  let token: string;
  beforeEach(async () => {
    users += 1;
    user = `ann${users}`;
    token = await server().token({ user });
    client = new MemoryClient({ baseUrl: server().url, token });
  });
  const open = (options: Partial<ServerSessionStoreOptions> = {}) => new ServerSessionStore({ client, ...options });
  const textsOf = async (store: ServerSessionStore, sessionId = 's1') =>
    (await store.read(sessionId)).map(({ payload }) => (payload as { content: unknown }).content);

  describeSessionStore(open);

  it('reads sessions of any length', async () => {
    const events = Array.from({ length: 250 }, (_, n) => said(n % 2 === 0 ? 'user' : 'assistant', `message ${n}`));
    const store = open();
    for (let n = 0; n < 250; n += 50) await store.append('s1', events.slice(n, n + 50));
    await Promise.all(Array.from({ length: 101 }, () => store.append('s2', [event({}, { type: 'noted' })])));
    expect(await open().read('s1')).toEqual(events);
    expect(await open().read('s2')).toHaveLength(101);
    expect(await open().delete('s1')).toBe(true);
    expect((await client.recentInteractions('beaver', { sessionId: 's1' })).count).toBe(0);
  });

  it('keeps what is off the record in the process, and stores none of it in the server', async () => {
    const store = open();
    await store.append('s1', [said('user', 'on the record')]);
    const path = '/v1/off-the-record/s1';
    expect((await server().call({ method: 'PUT', path, token })).status).toBe(200);
    await store.append('s1', [said('user', 'a secret zqoffrecord'), event({ tool: 'zqoffrecord' }, { type: 'noted' })]);
    await store.append('s2', [said('user', 'another session')]);
    expect(await textsOf(store)).toEqual(['on the record', 'a secret zqoffrecord', undefined]);
    expect(await textsOf(open())).toEqual(['on the record']);
    expect(await findText(database(), 'zqoffrecord')).toEqual([]);
    await server().call({ method: 'DELETE', path, token });
    await store.append('s1', [said('assistant', 'on the record again')]);
    expect(await textsOf(open())).toEqual(['on the record', 'on the record again']);
  });

  it('orders events after those it has read, whatever the clocks say', async () => {
    const events = [said('user', 'one'), said('assistant', 'two'), said('user', 'three')];
    await open({ now: () => Date.now() + 3_600_000 }).append('s1', events.slice(0, 1));
    const store = open();
    await store.read('s1');
    await store.append('s1', events.slice(1, 2));
    await store.append('s1', events.slice(2));
    expect(await open().read('s1')).toEqual(events);
  });

  it('is isolated from other agents, users and interactions', async () => {
    const store = open();
    await store.append('s1', [said('user', 'green tea')]);
    await client.logInteraction({ agent_id: 'beaver', role: 'user', content: 'green tea too', session_id: 's1' });
    const other = open({ agentId: 'otter' });
    expect([await other.read('s1'), await other.search({ text: 'tea', limit: 5 })]).toEqual([[], []]);
    expect(await other.list()).toEqual({ sessions: [] });
    expect(await other.delete('s1')).toBe(false);
    await expect(other.append('s1', [said('user', 'x')])).rejects.toMatchObject({ code: 'CONFLICT' });
    await other.append('s2', [said('user', 'black tea')]);
    expect((await store.list({ limit: 1 })).sessions.map(({ session_id }) => session_id)).toEqual(['s1']);
    expect((await store.search({ text: 'tea', limit: 5 })).map(({ text }) => text)).toEqual(['green tea']);

    const robot = await server().token({ user: 'robot', roles: ['service'] });
    const service = new MemoryClient({ baseUrl: server().url, token: robot });
    expect(await open({ client: service }).read('s1')).toEqual([]);
    expect(await textsOf(open({ client: service, userId: user }))).toEqual(['green tea']);
    await open({ client: service, userId: user }).append('s1', [said('assistant', 'white tea')]);
    expect(await textsOf(store)).toEqual(['green tea', 'white tea']);
  });

  it('stores what was said as episodic memory and keeps the rest out of recall', async () => {
    await open().append('s1', [
      said('user', 'The walrus sleeps.'),
      event({ role: 'tool', content: [{ type: 'tool-result', output: 'a marmalade result' }] }),
      event({ note: 'marmalade' }, { type: 'noted', context_visible: false }),
    ]);
    const { entries } = await client.recentInteractions('beaver', { sessionId: 's1' });
    expect(entries.map(({ role, content }) => [role, content])).toEqual([['user', 'The walrus sleeps.']]);
    const admin = await server().token({ user: 'boss', roles: ['admin'] });
    const made = await server().call({ method: 'POST', path: '/users', token: admin, body: { user_id: user } });
    const search = {
      user_id: user,
      user_key: made.body.user_key,
      scope: ['all_user_memory'],
      query: 'walrus marmalade',
    };
    const { body } = await server().call({ method: 'POST', path: '/memories/search', body: search });
    expect(body.results.map(({ text }: { text: string }) => text)).toEqual(['The walrus sleeps.']);
  });

  it('redacts secrets in texts, tool results and hidden events', async () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    const output = { env: `TOKEN=${secret}` };
    await open().append('s1', [
      said('user', `Use ${secret} for it.`),
      event({ role: 'tool', content: [{ type: 'tool-result', output }] }),
      event({ detail: secret }, { type: 'noted', context_visible: false }),
    ]);
    const found = JSON.stringify(await open().read('s1'));
    expect(found).not.toContain(secret);
    expect(found.match(/\[REDACTED:/g)).toHaveLength(3);
  });

  it('normalizes texts that the server cannot store as they are', async () => {
    await open().append('s1', [said('user', 'nul \u0000, half \ud800, cafe\u0301')]);
    expect(await textsOf(open())).toEqual(['nul , half \ufffd, café']);
  });

  it('shows that a text was erased, and keeps the rest of the event', async () => {
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: {} };
    await open().append('s1', [
      said('user', 'Where is the walrus?'),
      event({ role: 'assistant', content: [{ type: 'text', text: 'I look.' }, call] }),
    ]);
    const { entries } = await client.recentInteractions('beaver', { sessionId: 's1' });
    const question = entries.find(({ content }) => content === 'Where is the walrus?');
    expect(await client.deleteInteraction(question?.id ?? '')).toBe(true);
    expect(await textsOf(open())).toEqual(['[erased]', [{ type: 'text', text: 'I look.' }, call]]);
    expect(await open().search({ text: 'walrus', limit: 5 })).toEqual([]);
    await client.deleteInteractions('beaver', 's1');
    expect(await textsOf(open())).toEqual(['[erased]', [{ type: 'text', text: '[erased]' }, call]]);
  });

  /** A store whose connection can be cut. */
  function openFailing() {
    let left = Number.POSITIVE_INFINITY;
    const failing = new MemoryClient({
      baseUrl: server().url,
      token,
      fetch: (...request) => (left-- > 0 ? fetch(...request) : Promise.reject(new TypeError('connection lost'))),
    });
    const failAfter = (calls: number) => {
      left = calls;
    };
    return { store: open({ client: failing }), failAfter };
  }

  it('can repeat a deletion that was interrupted at any point', async () => {
    for (const calls of [1, 2, 3]) {
      const { store, failAfter } = openFailing();
      await store.append('s1', [said('user', 'green tea')]);
      failAfter(calls);
      await expect(store.delete('s1')).rejects.toMatchObject({ code: 'NETWORK' });
      expect((await open().list()).sessions).toHaveLength(1);
      expect(await open().delete('s1')).toBe(true);
      expect([await open().read('s1'), (await open().list()).sessions]).toEqual([[], []]);
      expect((await client.recentInteractions('beaver')).count).toBe(0);
    }
  });

  it('leaves out an append that was interrupted, and stores later ones', async () => {
    const { store, failAfter } = openFailing();
    await store.append('s1', [said('user', 'one')]);
    failAfter(2);
    const large = event({ role: 'tool', content: 'x'.repeat(400_000) });
    await expect(store.append('s1', [said('assistant', 'two'), large])).rejects.toMatchObject({ code: 'NETWORK' });
    failAfter(Number.POSITIVE_INFINITY);
    await store.append('s1', [said('user', 'three')]);
    expect(await textsOf(open())).toEqual(['one', 'three']);
    expect(await open().delete('s1')).toBe(true);
    expect((await client.recentInteractions('beaver')).count).toBe(0);
  });

  it('is used by an agent that is configured for it', async () => {
    const me = await GatewayUser.of(server());
    const own = await server().token({ tenant: 'default', user: me.user });
    const memory = {
      mode: 'memory_gateway',
      gateway: { baseUrl: server().url, userId: me.user, userKey: me.key, scope: ['all_user_memory'] },
      sessions: { store: 'server', url: server().url, token: own },
    };
    const script = [
      'Noted.',
      [callTool('session_search', { query: 'umbrella' })],
      'Behind the door.',
      `The token is ${own}.`,
    ];
    const { loop, model, status } = await openTestAgent(directory(), { memory, script });
    await loop.run({ prompt: 'My umbrella is behind the door.', sessionId: 'monday' });
    await loop.run({ prompt: 'Where is my umbrella?', sessionId: 'tuesday' });
    const recalled = model.shown(1).filter((text) => text.includes('<recalled_memory>'));
    expect(recalled.join()).not.toContain('Where is my umbrella?');
    expect(recalled.join()).toContain('"session_id":"chat:monday"');
    expect(recalled.join()).not.toContain('"session_id":"monday"');
    expect(model.shown(2).at(-1)).toContain('"session_id":"monday"');
    expect(model.shown(2).at(-1)).not.toContain('tuesday');

    await loop.run({ prompt: `Remember ${own} for me.`, sessionId: 'tuesday' });
    expect(model.shown(3)).toContain('assistant: Behind the door.');
    const stored = new ServerSessionStore({ client: new MemoryClient({ baseUrl: server().url, token: own }) });
    const events = await stored.read('tuesday');
    expect(JSON.stringify([events, model.shown(3), status])).not.toContain(own);
    expect(inspect(status, { depth: null })).not.toContain(own);
    expect(status.memory).toMatchObject({ sessions: { store: 'server', url: server().url, agentId: 'beaver' } });
    expect(events.filter(({ type }) => type === 'run_completed')).toHaveLength(2);
    expect(existsSync(join(directory(), '.beaver/sessions'))).toBe(false);
  });
});
