import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { tool } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { FileSessionStore } from '../src/sessions/file-session-store.js';
import type { SessionEvent } from '../src/sessions/session-store.js';
import { type GatewayBehaviour, useGatewayServer } from './support/gateway-server.js';
import { gatewaySection, userKey } from './support/gateway-settings.js';
import { callTool } from './support/scripted-model.js';
import { useTemporaryDirectory } from './support/temporary-directory.js';
import { openTestAgent, type TestAgentOptions } from './support/test-agent.js';
import { verify } from './support/verify.js';

const server = useGatewayServer();
const directory = useTemporaryDirectory();
const request = { prompt: 'I drink tea.', sessionId: 's1' };
const failures: [string, GatewayBehaviour, object][] = [
  ['timeout', 'hang', { category: 'timeout' }],
  ['cut connection', 'die', { category: 'connection' }],
  ['401', { status: 401, body: `{"error":{"message":"no ${userKey}"}}` }, { category: 'unauthorized', status: 401 }],
  ['500', { status: 500, body: 'sorry' }, { category: 'http', status: 500 }],
  ['garbage', { status: 200, body: '<html>' }, { category: 'malformed', status: 200 }],
];

function open(options: TestAgentOptions = {}) {
  const memory = { mode: 'memory_gateway', gateway: gatewaySection(server.url, { timeoutSeconds: 0.5 }) };
  return openTestAgent(directory(), { memory, ...options });
}

/** Fails to store one type of event. */
class FullDisk extends FileSessionStore {
  constructor(
    path: string,
    readonly type: string,
  ) {
    super(path);
  }

  override async append(id: string, events: readonly SessionEvent[]): Promise<void> {
    if (events.some(({ type }) => type === this.type)) throw new Error('disk full');
    await super.append(id, events);
  }
}

function gatewayEvents(events: readonly SessionEvent[]) {
  return events
    .filter(({ type }) => type.startsWith('memory_gateway_'))
    .map(({ type, payload, context_visible }) => {
      expect(context_visible).toBe(false);
      return { type, payload };
    });
}

async function undisturbedResult() {
  const { loop } = await openTestAgent(join(directory(), 'undisturbed'), {
    memory: { mode: 'memory_gateway', gateway: gatewaySection(server.url) },
  });
  const result = await loop.run(request);
  server.requests.length = 0;
  return result;
}

describe.each(failures)('a gateway that fails with %s', (_, behaviour, failure) => {
  verify(['failure.1', 'configuration.9'], async () => {
    server.behave('search', behaviour);
    const { loop, model, events } = await open();
    expect((await loop.run(request)).text).toBe('Noted.');
    expect(model.shown()).toEqual([expect.stringMatching(/^system: /), 'user: I drink tea.']);
    expect(gatewayEvents(events())[0]).toEqual({
      type: 'memory_gateway_recall_failed',
      payload: { operation: 'search', ...failure },
    });
  });

  verify('failure.2', async () => {
    server.behave('add', behaviour);
    const { loop, events } = await open();
    expect((await loop.run(request)).text).toBe('Noted.');
    expect(server.paths()).toEqual(['/memories/search', '/memories/add']);
    expect(gatewayEvents(events()).slice(1)).toEqual([
      { type: 'memory_gateway_add_failed', payload: { operation: 'add', ...failure } },
    ]);
  });

  verify('failure.3', async () => {
    server.behave('flush', behaviour);
    const { loop, events } = await open();
    expect((await loop.run(request)).text).toBe('Noted.');
    expect(gatewayEvents(events()).slice(1)).toEqual([
      { type: 'memory_gateway_add_succeeded', payload: { session_id: 'chat:s1', message_count: 2 } },
      { type: 'memory_gateway_flush_failed', payload: { operation: 'flush', ...failure, add_succeeded: true } },
    ]);
  });

  verify(['testing.loop.6', 'failure.5'], async () => {
    const undisturbed = await undisturbedResult();
    for (const operation of ['search', 'add', 'flush'] as const) server.behave(operation, behaviour);
    const { loop } = await open();
    expect(await loop.run(request)).toEqual(undisturbed);
  });
});

describe('audit', () => {
  it('records every step of a successful run', async () => {
    server.find([{ text: 'tea' }, { text: 'milk' }]);
    const { loop, events } = await open();
    await loop.run(request);
    expect(gatewayEvents(events())).toEqual([
      { type: 'memory_gateway_recall_succeeded', payload: { scope: ['current_chat', 'resources'], result_count: 2 } },
      { type: 'memory_gateway_add_succeeded', payload: { session_id: 'chat:s1', message_count: 2 } },
      { type: 'memory_gateway_flush_succeeded', payload: { session_id: 'chat:s1' } },
    ]);
  });

  verify(['audit.1', 'testing.loop.7'], async () => {
    server.find([{ text: 'a memory that stays out', raw: { token: userKey } }]);
    const { loop, events } = await open();
    await loop.run(request);
    for (const operation of ['search', 'add', 'flush'] as const) {
      server.reset();
      server.behave(operation, { status: 500, body: `{"echo":"a memory that stays out ${userKey}"}` });
      await loop.run(request);
    }
    const told = JSON.stringify(gatewayEvents(events()));
    for (const secret of [userKey, 'stays out', 'ann', 'tea']) expect(told).not.toContain(secret);
  });

  verify('audit.8', async () => {
    const search = callTool('session_search', { query: 'memory_gateway_recall_succeeded current_chat result_count' });
    const { loop, model } = await open({ script: ['Noted.', [search], 'Nothing.'] });
    await loop.run(request);
    await loop.run({ prompt: 'Look.', sessionId: 's1' });
    expect(model.shown(1).slice(1)).toEqual(['user: I drink tea.', 'assistant: Noted.', 'user: Look.']);
    expect(model.shown(2).at(-1)).toContain('"matches":[]');
  });

  verify('failure.4', async () => {
    for (const broken of [
      'memory_gateway_recall_succeeded',
      'memory_gateway_add_succeeded',
      'memory_gateway_flush_succeeded',
    ]) {
      const { loop } = await open({ sessions: new FullDisk(join(directory(), broken), broken) });
      await expect(loop.run(request)).rejects.toThrow('disk full');
    }
  });
});

describe('the key', () => {
  const written: string[] = [];
  beforeEach(() => {
    written.length = 0;
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
    }
  });
  afterEach(() => void vi.restoreAllMocks());

  function filesBelow(path: string): string[] {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  }

  verify('configuration.10', async () => {
    const readFile = tool({
      description: 'Reads a file.',
      inputSchema: z.object({ path: z.string() }),
      execute: ({ path }) => {
        if (path === 'broken') throw new Error(`cannot parse "${userKey}"`);
        return { text: `{"userKey": "${userKey}"}`, lines: [userKey] };
      },
    });
    server.find([{ text: `my key is ${userKey}`, session_id: userKey }]);
    const script = [
      [callTool('readFile', { path: 'config.json' }), callTool('readFile', { path: 'broken' }, 'call-2')],
      'Your key is a secret.',
      new Error('model down'),
    ];
    const { loop, model, status } = await open({ script, tools: { readFile } });
    const results: unknown[] = [status, inspect(loop, { depth: null, showHidden: true })];
    results.push(await loop.run({ prompt: `Is ${userKey} my key?`, sessionId: 's1' }));
    results.push(await loop.run({ prompt: `And ${userKey}?`, sessionId: 's1' }).catch((error) => inspect(error)));
    for (const operation of ['search', 'add', 'flush'] as const) {
      server.behave(operation, { status: 500, body: userKey });
      await loop.run({ prompt: `Still ${userKey}?`, sessionId: 's2' }).catch(() => undefined);
    }
    const everything = [
      JSON.stringify(results),
      inspect(results, { depth: null }),
      JSON.stringify(model.calls.map(({ prompt }) => prompt)),
      ...filesBelow(directory()),
      ...written,
      ...server.requests.map(({ body: { user_key: _, ...rest } }) => JSON.stringify(rest)),
    ];
    expect(everything.filter((text) => text.includes(userKey))).toEqual([]);
    expect(everything.join()).toContain('[REDACTED:USER_KEY]');
  });
});
