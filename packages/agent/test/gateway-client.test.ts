import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseGatewayConfiguration } from '../src/configuration/memory-configuration.js';
import { MemoryGatewayClient } from '../src/gateway/memory-gateway-client.js';
import { MemoryGatewayError } from '../src/gateway/memory-gateway-error.js';
import { type GatewayBehaviour, useGatewayServer } from './support/gateway-server.js';
import { gatewaySection, userKey } from './support/gateway-settings.js';
import { verify } from './support/verify.js';

const server = useGatewayServer();
const identity = { user_id: 'ann', user_key: userKey, app_id: 'default', project_id: 'default' };
const turn = [{ sender_id: 'ann', role: 'user', timestamp: 1, content: 'tea, please' }] as const;

function connect(changes: Record<string, unknown> = {}) {
  return new MemoryGatewayClient(parseGatewayConfiguration(gatewaySection(server.url, changes)));
}

const calls = {
  search: (client: MemoryGatewayClient, signal?: AbortSignal) =>
    client.search({ conversationId: 's1', query: 'tea' }, signal),
  add: (client: MemoryGatewayClient, signal?: AbortSignal) => client.add('chat:s1', turn, signal),
  flush: (client: MemoryGatewayClient, signal?: AbortSignal) => client.flush('chat:s1', signal),
};
const operations = ['search', 'add', 'flush'] as const;

async function failureOf(call: Promise<unknown>): Promise<MemoryGatewayError> {
  const error = await call.then(
    () => expect.fail('the call succeeded'),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(MemoryGatewayError);
  return error;
}

describe('requests', () => {
  verify(['testing.client.1', 'architecture.9', 'recall.3', 'persistence.4', 'persistence.5'], async () => {
    const client = connect({ baseUrl: `${server.url}/`, appId: 'desk', projectId: 'p1', topK: 3 });
    for (const operation of operations) await calls[operation](client);
    const own = { ...identity, app_id: 'desk', project_id: 'p1' };
    expect(server.requests).toEqual([
      {
        method: 'POST',
        path: '/memories/search',
        body: { ...own, conversation_id: 's1', query: 'tea', scope: ['current_chat', 'resources'], top_k: 3 },
      },
      { method: 'POST', path: '/memories/add', body: { ...own, session_id: 'chat:s1', messages: turn } },
      { method: 'POST', path: '/memories/flush', body: { ...own, session_id: 'chat:s1' } },
    ]);
  });

  it('contain no text with the key, and neither do results', async () => {
    server.find([{ text: `the key is ${userKey}` }]);
    const client = connect();
    expect(await client.search({ conversationId: 's1', query: `what is ${userKey}` })).toEqual([
      { text: 'the key is [REDACTED:USER_KEY]' },
    ]);
    await client.add('chat:s1', [{ ...turn[0], content: `keep ${userKey}` }]);
    expect(server.bodyOf('search').query).toBe('what is [REDACTED:USER_KEY]');
    expect(server.bodyOf('add').messages[0].content).toBe('keep [REDACTED:USER_KEY]');
  });

  verify('security.2', async () => {
    const client = connect();
    await calls.search(client);
    expect(server.bodyOf('search').user_key).toBe(userKey);
    expect(server.requests[0]?.path).not.toContain(userKey);
    expect(inspect(client, { depth: null, showHidden: true }) + JSON.stringify(client)).not.toContain(userKey);
  });
});

const broken: [string, GatewayBehaviour, { category: string; status?: number }][] = [
  ['a closed connection', 'die', { category: 'connection' }],
  ['no response', 'hang', { category: 'timeout' }],
  ['an incomplete response', 'stall', { category: 'timeout' }],
  ['401', { status: 401, body: `{"error":{"message":"${userKey}"}}` }, { category: 'unauthorized', status: 401 }],
  ['500', { status: 500, body: userKey }, { category: 'http', status: 500 }],
  ['422', { status: 422, body: '{}' }, { category: 'http', status: 422 }],
  [
    'a redirect',
    { status: 307, body: '', headers: { location: '/memories/flush' } },
    { category: 'http', status: 307 },
  ],
  ['invalid JSON', { status: 200, body: `{"${userKey}` }, { category: 'malformed', status: 200 }],
  ['an empty body', { status: 200, body: '' }, { category: 'malformed', status: 200 }],
  ['a list', { status: 200, body: '[]' }, { category: 'malformed', status: 200 }],
  ['an oversized body', { status: 200, body: `"${'x'.repeat(5_000_000)}"` }, { category: 'malformed', status: 200 }],
];

describe.each(broken)('%s', (_, behaviour, failure) => {
  verify(['testing.client.3', 'testing.client.4', 'architecture.10', 'architecture.11', 'security.3'], async () => {
    const client = connect({ timeoutSeconds: behaviour === 'hang' || behaviour === 'stall' ? 0.05 : 5 });
    for (const operation of operations) {
      server.reset();
      server.behave(operation, behaviour);
      const error = await failureOf(calls[operation](client));
      expect(error.failure).toEqual({ operation, ...failure });
      expect(error.path).toBe(`/memories/${operation}`);
      expect(error.cause).toBeUndefined();
      expect(server.paths()).toEqual([error.path]);
      const shown = [
        error.message,
        error.stack,
        JSON.stringify(error),
        inspect(error, { showHidden: true, depth: null }),
      ];
      for (const secret of [userKey, 'tea', '127.0.0.1']) expect(shown.join()).not.toContain(secret);
    }
  });
});

describe('searches', () => {
  verify('recall.4', async () => {
    for (const answer of [[], {}, { results: {} }, { results: null }, { data: { results: [] } }, 'results', null]) {
      server.behave('search', { status: 200, body: JSON.stringify(answer) });
      expect((await failureOf(calls.search(connect()))).category).toBe('malformed');
    }
  });

  verify(['recall.5', 'security.5', 'testing.strategy.2'], async () => {
    const kept = {
      id: 'm1',
      session_id: 'chat:s0',
      text: 'tea',
      score: 0.5,
      source_scope: 'resources',
      resource_uri: 'u',
    };
    server.find([
      { ...kept, raw: { text: 'hidden' }, embedding: [1], user_key: 'x' },
      { text: 'only text', id: 7, score: 'high', session_id: null },
    ]);
    const scope = ['all_user_memory', 'resources'];
    expect(await calls.search(connect({ scope }))).toEqual([kept, { text: 'only text' }]);
    expect(server.bodyOf('search').scope).toEqual(scope);
  });

  it('say in words who said something or which file it is from, and when', async () => {
    const timestamp = Date.parse('2026-06-01T14:30:59Z');
    const row = { kind: 'resource', timestamp, title: 'Price list', heading: 'sku,name,price', sender_id: null };
    const described: [raw: unknown, from: string | undefined, heading?: string][] = [
      [{ kind: 'episodic', role: 'user', sender_id: 'ann', timestamp }, 'said by the user on 2026-06-01 at 14:30 UTC'],
      [
        { kind: 'episodic', role: 'user', sender_id: 'bob', timestamp },
        'said by the user (bob) on 2026-06-01 at 14:30 UTC',
      ],
      [
        { kind: 'episodic', role: 'assistant', sender_id: 'beaver', timestamp },
        'said by the assistant (beaver) on 2026-06-01 at 14:30 UTC',
      ],
      [
        { kind: 'episodic', role: 'tool', sender_id: 'search', timestamp },
        'returned by a tool (search) on 2026-06-01 at 14:30 UTC',
      ],
      [{ role: 'user' }, 'said by the user'],
      [{ kind: 'event', role: null, timestamp }, 'summary of a conversation on 2026-06-01 at 14:30 UTC'],
      [{ kind: 'fact', timestamp }, 'noted on 2026-06-01 at 14:30 UTC'],
      [{ kind: 'note', author: 'ann', timestamp }, 'noted by the user on 2026-06-01 at 14:30 UTC'],
      [{ kind: 'semantic', author: 'crm', timestamp }, 'noted by crm on 2026-06-01 at 14:30 UTC'],
      [{ kind: 'fact', author: 'a person\nwho orders', timestamp }, 'noted on 2026-06-01 at 14:30 UTC'],
      [{ kind: 'tier', author: 'ann' }, 'written in the notes of the workspace by the user'],
      [{ kind: 'document', author: 'bob' }, 'written in a document of the user by bob'],
      [{ kind: 'procedural', role: 'deploy', timestamp }, 'noted on 2026-06-01 at 14:30 UTC'],
      [row, 'file "Price list", added on 2026-06-01 at 14:30 UTC', 'sku,name,price'],
      [{ ...row, title: null, heading: null }, 'file, added on 2026-06-01 at 14:30 UTC'],
      [{ kind: 'episodic', role: 'user', sender_id: 'a b\n', timestamp: 9e99 }, 'said by the user'],
      [{ kind: 'resource', title: 5, heading: ['x'], timestamp: -1 }, 'file'],
      [{ timestamp }, undefined],
      [{ kind: 7, role: 'system' }, undefined],
      ['raw', undefined],
    ];
    server.find(described.map(([raw]) => ({ text: 'tea', raw })));
    expect(await calls.search(connect())).toEqual(
      described.map(([, from, heading]) => ({
        ...(from === undefined ? {} : { from }),
        ...(heading === undefined ? {} : { heading }),
        text: 'tea',
      })),
    );
  });

  it('skip results without text', async () => {
    server.find([{ id: 'm1' }, { text: '' }, { text: ' ' }, { text: 5 }, 'tea', null, ['tea'], { text: 'tea' }]);
    expect(await calls.search(connect())).toEqual([{ text: 'tea' }]);
  });
});

describe('time limits', () => {
  verify('testing.client.2', async () => {
    let release = () => {};
    const released = new Promise<void>((done) => {
      release = done;
    });
    server.onRequest = () => released;
    const patient = calls.search(connect({ timeoutSeconds: 60 }));
    expect((await failureOf(calls.search(connect({ timeoutSeconds: 0.05 })))).category).toBe('timeout');
    release();
    expect(await patient).toEqual([]);
  });

  it('end immediately with the given reason if the caller aborts', async () => {
    server.behave('search', 'hang');
    const caller = new AbortController();
    server.onRequest = () => caller.abort(new Error('changed my mind'));
    await expect(calls.search(connect(), caller.signal)).rejects.toThrow('changed my mind');
  });

  it('do not delay the failure of an unreachable gateway', async () => {
    expect((await failureOf(calls.search(connect({ baseUrl: 'http://127.0.0.1:1' })))).category).toBe('connection');
  });
});

verify('architecture.12', async () => {
  server.behave('add', 'die');
  await failureOf(calls.add(connect()));
  expect(server.paths()).toEqual(['/memories/add']);
});
