import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateText, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { createTestDatabase, describeOneDatabase } from '../../../server/test/support/databases.js';
import { GatewayUser } from '../../../server/test/support/gateway-user.js';
import { startTestServer, useServer } from '../../../server/test/support/server.js';
import { createMemoryMiddleware } from '../../src/adapters/memory-middleware.js';
import { parseMemoryConfiguration } from '../../src/configuration/memory-configuration.js';
import { createMemoryBackend } from '../../src/memory/create-memory-backend.js';
import { CuratedMemory } from '../../src/memory/curated-memory.js';
import { type Scripted, ScriptedModel } from '../support/scripted-model.js';
import { useTemporaryDirectory } from '../support/temporary-directory.js';
import { openTestAgent, type TestAgentOptions } from '../support/test-agent.js';

const everything = { scope: ['all_user_memory'] };

interface Me {
  user: string;
  key: string;
}

describeOneDatabase('an agent on the gateway', (database) => {
  const server = useServer(database);
  const directory = useTemporaryDirectory();

  function sectionFor({ user, key }: Me, changes: Record<string, unknown> = {}) {
    return { mode: 'memory_gateway', gateway: { baseUrl: server().url, userId: user, userKey: key, ...changes } };
  }

  async function open(me: Me, script: readonly Scripted[], changes = {}, options: TestAgentOptions = {}) {
    return openTestAgent(directory(), { memory: sectionFor(me, changes), script, ...options });
  }

  async function upload(me: GatewayUser, content: string, name: string, fields: Record<string, string> = {}) {
    const form = new FormData();
    for (const [field, value] of Object.entries({ ...me.identity, ...fields })) form.append(field, value);
    form.append('file', new Blob([content]), name);
    expect((await fetch(`${server().url}/resources`, { method: 'POST', body: form })).status).toBe(200);
  }

  function gatewayEvents(events: { type: string; payload: unknown }[]) {
    return events.filter(({ type }) => type.startsWith('memory_gateway')).map(({ type, payload }) => [type, payload]);
  }

  it('remembers across sessions', async () => {
    const me = await GatewayUser.of(server());
    const { loop, model, events } = await open(me, ['Noted.', 'Behind the door.'], everything);
    await loop.run({ prompt: 'My umbrella is behind the door.', sessionId: 'monday' });
    await loop.run({ prompt: 'Where is my umbrella?', sessionId: 'tuesday' });
    expect(model.shown(1)[1]).toContain('My umbrella is behind the door.');
    expect(gatewayEvents(events('tuesday'))).toEqual([
      ['memory_gateway_recall_succeeded', { scope: ['all_user_memory'], result_count: expect.any(Number) }],
      ['memory_gateway_add_succeeded', { session_id: 'chat:tuesday', message_count: 2 }],
      ['memory_gateway_flush_succeeded', { session_id: 'chat:tuesday' }],
    ]);
  });

  it('recalls only messages of the current chat in that scope', async () => {
    const me = await GatewayUser.of(server());
    const { loop, model } = await open(me, ['Noted.'], {}, { maxHistoryCharacters: 0 });
    await loop.run({ prompt: 'My umbrella is behind the door.', sessionId: 'here' });
    await loop.run({ prompt: 'Where is my umbrella?', sessionId: 'here' });
    await loop.run({ prompt: 'Where is my umbrella?', sessionId: 'elsewhere' });
    expect(model.shown(1)[1]).toContain('"source_scope":"current_chat"');
    expect(model.shown(2).join()).not.toContain('behind the door');
  });

  it('recalls the content of a user file with its location', async () => {
    const me = await GatewayUser.of(server());
    await upload(me, 'The umbrella was bought in Kyoto.', 'receipts.txt');
    const { loop, model } = await open(me, ['In Kyoto.']);
    await loop.run({ prompt: 'Where was the umbrella bought?', sessionId: 's1' });
    expect(model.shown()[1]).toMatch(/bought in Kyoto.*"source_scope":"resources","resource_uri":"memhall:/);
  });

  it('recalls rows of a table with the names of the columns and the title of the file', async () => {
    const me = await GatewayUser.of(server());
    const rows = Array.from({ length: 100 }, (_, n) => `A-${n},umbrella ${n},${n}.50`);
    await upload(me, ['sku,name,price', ...rows].join('\n'), 'p.csv', { title: 'Price list' });
    const { loop, model } = await open(me, ['97.50'], { topK: 1 });
    await loop.run({ prompt: 'What does A-97 cost?', sessionId: 's1' });
    const line = JSON.parse(model.shown()[1]?.split('\n')[2] ?? '');
    expect(line).toMatchObject({
      from: expect.stringMatching(/^file "Price list", added on \d{4}-\d\d-\d\d at \d\d:\d\d UTC$/),
      heading: 'sku,name,price',
      text: expect.stringContaining('A-97,umbrella 97,97.50'),
    });
  });

  it('recalls messages with role and date, and none that the history shows', async () => {
    const me = await GatewayUser.of(server());
    const now = () => Date.parse('2026-06-01T14:30:00Z');
    const { loop, model } = await open(me, ['I will remember your umbrella.'], everything, { now });
    await loop.run({ prompt: 'My umbrella is behind the door.', sessionId: 'monday' });
    await loop.run({ prompt: 'Where is my umbrella?', sessionId: 'tuesday' });
    await loop.run({ prompt: 'Where exactly is my umbrella?', sessionId: 'tuesday' });
    const origins = (call: number) =>
      (model.shown(call)[1] ?? '')
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line))
        .map(({ text, from }) => `${from}: ${text}`);
    expect(origins(1)).toContain('said by the user on 2026-06-01 at 14:30 UTC: My umbrella is behind the door.');
    expect(origins(1)).toContain(
      'said by the assistant (beaver) on 2026-06-01 at 14:30 UTC: I will remember your umbrella.',
    );
    expect(origins(2)).toContain('said by the user on 2026-06-01 at 14:30 UTC: My umbrella is behind the door.');
    expect(origins(2).join('\n')).not.toContain('Where is my umbrella?');
  });

  it('stores each turn once, with prompt and answer', async () => {
    const me = await GatewayUser.of(server());
    const { loop } = await open(me, ['A walrus is a seal with tusks.']);
    await loop.run({ prompt: 'What is a walrus?', sessionId: 's1' });
    const found = await me.found('walrus', { conversation_id: 's1', filters: { role: 'user' } });
    expect(found.map(({ text }) => text)).toEqual(['What is a walrus?']);
    const answers = await me.found('walrus', { conversation_id: 's1', filters: { sender_id: 'beaver' } });
    expect(answers.map(({ text }) => text)).toEqual(['A walrus is a seal with tusks.']);
  });

  it('remembers a prompt with characters that cannot be stored, and one that is too long for a message', async () => {
    const me = await GatewayUser.of(server());
    const { loop, events } = await open(me, ['Noted.']);
    await loop.run({ prompt: 'My umb\0rella is behind the \ud800 door.', sessionId: 's1' });
    const filler = Array.from({ length: 11_000 }, (_, n) => `line ${n}\n`).join('');
    await loop.run({ prompt: `${filler}The walrus sleeps in Tromsø.\n${filler}`, sessionId: 's2' });
    const [umbrella] = await me.found('umbrella', { conversation_id: 's1', filters: { role: 'user' } });
    expect(umbrella.text).toBe('My umbrella is behind the \uFFFD door.');
    const [walrus] = await me.found('Where does the walrus sleep?', {
      conversation_id: 's2',
      filters: { role: 'user' },
    });
    expect(walrus.text).toContain('The walrus sleeps in Tromsø.');
    expect(walrus.text.length).toBeLessThanOrEqual(10_000);
    const types = (id: string) => gatewayEvents(events(id)).map(([type]) => type);
    for (const id of ['s1', 's2']) {
      expect(types(id).slice(1)).toEqual(['memory_gateway_add_succeeded', 'memory_gateway_flush_succeeded']);
    }
  });

  it('does not see memories of another user', async () => {
    const [ann, bob] = [await GatewayUser.of(server()), await GatewayUser.of(server())];
    await (await open(ann, ['Noted.'], everything)).loop.run({ prompt: 'My umbrella is green.', sessionId: 's1' });
    const { loop, model } = await open(bob, ['No idea.'], everything);
    await loop.run({ prompt: 'Which colour has my umbrella?', sessionId: 's2' });
    expect(model.shown()).toHaveLength(2);
  });

  it('continues without memory if its key is rejected, and reports it only in the audit', async () => {
    const { user } = await GatewayUser.of(server());
    const { loop, events } = await open({ user, key: 'uk_somebodyElsesKey0123456789abcdef' }, ['Hello.']);
    expect((await loop.run({ prompt: 'Hi!', sessionId: 'refused' })).text).toBe('Hello.');
    expect(gatewayEvents(events('refused'))).toEqual([
      ['memory_gateway_recall_failed', { operation: 'search', category: 'unauthorized', status: 401 }],
      ['memory_gateway_add_failed', { operation: 'add', category: 'unauthorized', status: 401 }],
    ]);
  });

  it('remembers for custom loops through the middleware', async () => {
    const me = await GatewayUser.of(server());
    const memory = createMemoryBackend(parseMemoryConfiguration(sectionFor(me)), new CuratedMemory(directory()));
    const scripted = new ScriptedModel(['Noted.']);
    const middleware = createMemoryMiddleware({ memory, sessionId: 's1' });
    const model = wrapLanguageModel({ model: scripted.model, middleware });
    await generateText({ model, prompt: 'My umbrella is behind the door.' });
    await generateText({ model, prompt: 'Where is my umbrella?' });
    expect(scripted.shown(1)[1]).toContain('My umbrella is behind the door.');
  });

  it('writes its key to no file', async () => {
    const me = await GatewayUser.of(server());
    const { loop } = await open(me, ['Noted.']);
    await loop.run({ prompt: `My key is ${me.key}.`, sessionId: 's1' });
    const entries = readdirSync(directory(), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    expect(files.filter((path) => readFileSync(path, 'utf8').includes(me.key))).toEqual([]);
    expect(JSON.stringify(await me.found('key', { conversation_id: 's1' }))).not.toContain(me.key);
  });
});

describe('a gateway that stops', () => {
  const directory = useTemporaryDirectory();

  it('does not prevent answers', async () => {
    const database = await createTestDatabase('embedded');
    const server = await startTestServer(database);
    const me = await GatewayUser.of(server);
    const gateway = { baseUrl: server.url, userId: me.user, userKey: me.key };
    let stopped: Promise<void> | undefined;
    const { loop, events } = await openTestAgent(directory(), {
      memory: { mode: 'memory_gateway', gateway },
      onCall: () => {
        stopped = server.close();
      },
    });
    expect((await loop.run({ prompt: 'Hi!', sessionId: 's1' })).text).toBe('Noted.');
    await stopped;
    await database.remove();
    expect(events().map(({ type }) => type)).toContain('memory_gateway_recall_succeeded');
    expect(events().map(({ type }) => type)).toContain('memory_gateway_add_failed');
  });
});
