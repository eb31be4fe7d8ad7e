import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Progress, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/composition/open-database.js';
import { flagsOf, runCommand, runProgram } from './support/command.js';
import { createTestDatabase, describeEachDatabase, type TestDatabase } from './support/databases.js';
import { useFakePlugin } from './support/fake-plugin.js';
import { connectMcp, type McpUser } from './support/mcp-client.js';
import { startTestServer } from './support/server.js';

const program = fileURLToPath(new URL('../bin/memhall.js', import.meta.url));

/** Starts clients of `memhall mcp` and closes them after each test. */
function useStdioClients() {
  const open: McpUser[] = [];
  afterEach(async () => {
    for (const { client } of open.splice(0)) await client.close();
  });

  /** The client fails on anything on standard output that is not a protocol message. */
  return async function start(args: readonly string[], environment: Record<string, string> = {}): Promise<McpUser> {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', ...args],
      env: { ...getDefaultEnvironment(), NODE_OPTIONS: process.env.NODE_OPTIONS ?? '', ...environment },
      stderr: 'ignore',
    });
    let fault: Error | undefined;
    const user = await connectMcp(transport as Transport);
    user.client.onerror = (error) => {
      fault ??= error;
    };
    open.push({ ...user, client: user.client });
    const call: McpUser['call'] = async (tool, input) => {
      const answer = await user.call(tool, input);
      if (fault !== undefined) throw fault;
      return answer;
    };
    return { ...user, call };
  };
}

describeEachDatabase('memhall mcp', (database) => {
  const start = useStdioClients();

  async function driveEveryTool(user: McpUser): Promise<void> {
    const { namespaces } = await user.call('list_writable_namespaces');
    expect((await user.call('list_readable_namespaces')).namespaces).toEqual(expect.arrayContaining(namespaces));
    const { memory_id: id } = await user.call('commit_memory', { content: 'The key is under the blue pot.' });
    await user.call('commit_summary', { content: 'We talked about pots.' });
    const { memories } = await user.call('search_memory', { query: 'Where is the key?' });
    expect(memories[0]).toMatchObject({ memory_id: id, namespace: namespaces[0].name });
    await user.call('forget_memory', { memory_id: id });
    const left = await user.call('search_memory', { query: 'blue pot' });
    expect(left.memories.map(({ memory_id }: { memory_id: string }) => memory_id)).not.toContain(id);
    expect((await user.client.listPrompts()).prompts).toHaveLength(2);
    expect((await user.client.listResources()).resources).toEqual([]);
  }

  it('works alone, next to a running server and through a server URL', async () => {
    const flags = [...flagsOf(database()), '--embedder', 'none', '--user', 'alice', '--claim', 'team_id=blue'];
    const alone = await start(flags);
    await driveEveryTool(alone);
    const half = await alone.refusal('commit_memory', { content: 'half \ud800 of it' });
    expect(half).toMatchObject({ code: 'INVALID_REQUEST' });
    await alone.call('commit_memory', { content: 'Kept for later.', namespace: 'team:blue' });
    await alone.client.close();
    const server = await startTestServer(database());
    try {
      const beside = await start(flags);
      const { memories } = await beside.call('search_memory', { query: 'later' });
      expect(memories).toMatchObject([{ content: 'Kept for later.', namespace: 'team:blue' }]);
      await beside.client.close();

      const user = `u-${randomUUID()}`;
      const token = await server.token({ tenant: 'default', user, claims: { team_id: 'blue' } });
      const relay = await start([], { MEMHALL_SERVER_URL: server.url, MEMHALL_TOKEN: token });
      await driveEveryTool(relay);
      const shared = await relay.call('search_memory', { query: 'later', namespaces: ['team:blue'] });
      expect(shared.memories).toHaveLength(1);

      await expect(start(['--server', server.url, '--token', 'wrong'])).rejects.toThrow('does not accept the token');
    } finally {
      await server.close();
    }
  }, 120_000);
});

describe('several memhall mcp processes in one data directory', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('embedded');
  });
  afterAll(() => database.remove());
  const start = useStdioClients();
  const flags = () => [...flagsOf(database), '--embedder', 'none'];
  const contents = async (user: McpUser): Promise<string[]> =>
    (await user.call('search_memory')).memories.map(({ content }: { content: string }) => content);

  it('keeps every memory while processes start together and exit in any order', { timeout: 240_000 }, async () => {
    const [one, two, three] = await Promise.all([start(flags()), start(flags()), start(flags())]);
    await one.call('commit_memory', { content: 'Said to the first.' });
    expect(await contents(two)).toEqual(['Said to the first.']);
    for (const [ending, left, gone] of [
      [one, two, 'one'],
      [two, three, 'two'],
    ] as const) {
      await ending.client.close();
      // A call in flight may fail once when the process that had the store open exits.
      await expect.poll(() => contents(left), { timeout: 30_000 }).toContain('Said to the first.');
      await left.call('commit_memory', { content: `Said when ${gone} had gone.` });
    }
    const last = await start(flags());
    expect(await contents(last)).toEqual(['Said when two had gone.', 'Said when one had gone.', 'Said to the first.']);
    await three.client.close();
    await expect.poll(() => contents(last), { timeout: 30_000 }).toHaveLength(3);
  });

  it('returns UNAVAILABLE while its server is down and recovers with it', { timeout: 120_000 }, async () => {
    const server = await startTestServer(database);
    const beside = await start(flags());
    await beside.call('commit_memory', { content: 'Said beside a server.' });
    await server.close();
    expect(await beside.refusal('search_memory')).toMatchObject({ code: 'UNAVAILABLE' });
    const again = await startTestServer(database);
    expect(await contents(beside)).toContain('Said beside a server.');
    await beside.client.close();
    await again.close();
  });

  it('lets a server join a process and continue when that process is killed', { timeout: 120_000 }, async () => {
    const first = await start(flags());
    const server = await startTestServer(database, { embedder: 'none' });
    const path = `/v1/memory/working/p/${randomUUID()}`;
    const read = async () => (await server.call({ path })).body.value;
    expect((await server.call({ method: 'PUT', path, body: { value: 'kept' } })).status).toBe(200);
    await first.call('commit_memory', { content: 'Said beside a server.' });
    process.kill((first.client.transport as StdioClientTransport).pid ?? 0, 'SIGKILL');
    // A call in flight may fail once.
    await expect.poll(read, { timeout: 30_000 }).toBe('kept');
    await expect(startTestServer(database)).rejects.toThrow(/is in use by another process/);
    const next = await start(flags());
    expect(await contents(next)).toContain('Said beside a server.');
    await server.close();
    expect(await next.refusal('search_memory')).toMatchObject({ code: 'UNAVAILABLE' });
    await next.client.close();
  });
});

describe('memhall mcp with an external plugin', () => {
  const plugin = useFakePlugin();
  const start = useStdioClients();

  it('notifies clients of changed tools, both standalone and through a server', { timeout: 120_000 }, async () => {
    const database = await createTestDatabase('embedded');
    const server = await startTestServer(database, {
      memoryPluginUrl: plugin.url,
      memoryPluginTenant: 't1',
      memoryPluginHealthMs: '200',
    });
    try {
      const own = { MEMORY_PLUGIN_URL: plugin.url, MEMORY_PLUGIN_HEALTH_MS: '200' };
      const users = [
        await start([...flagsOf(database), '--embedder', 'none'], own),
        await start(['--server', server.url], { MEMHALL_TOKEN: await server.token() }),
      ];
      const told = new Set<unknown>();
      for (const { client } of users) {
        client.setNotificationHandler(ToolListChangedNotificationSchema, () => void told.add(client));
      }
      // A client that has only just started to listen may have missed the first change.
      const changeAgain = () => {
        plugin.capabilities = plugin.capabilities.includes('pin') ? ['fts', 'ttl'] : ['fts', 'ttl', 'pin'];
        return told.size;
      };
      await expect.poll(changeAgain, { timeout: 60_000, interval: 1000 }).toBe(2);
      plugin.capabilities = ['fts'];
      const parametersOf = async ({ client }: McpUser) => {
        const { tools } = await client.listTools();
        return Object.keys(tools.find(({ name }) => name === 'commit_memory')?.inputSchema.properties ?? {});
      };
      for (const user of users) {
        await expect.poll(() => parametersOf(user), { timeout: 30_000 }).toEqual(['content', 'namespace', 'kind']);
      }
    } finally {
      await server.close();
      await database.remove();
    }
  });
});

it('memhall mcp answers every piped request and prints nothing else', async () => {
  const database = await createTestDatabase('embedded');
  try {
    const messages = [
      { id: 1, method: 'tools/call', params: { name: 'commit_memory', arguments: { content: 'Piped in.' } } },
      { id: 2, method: 'tools/list' },
    ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const flags = [...flagsOf(database), '--embedder', 'none'];
    const { code, stdout } = await runProgram(['mcp', ...flags], {}, messages.join(''));
    expect(code).toBe(0);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
  } finally {
    await database.remove();
  }
});

it('memhall mcp reports invalid options', async () => {
  const environment = { MEMHALL_LOG_LEVEL: 'silent' };
  const wrong = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(['mcp', ...args], environment);
    expect([code, stdout]).toEqual([1, '']);
    return stderr;
  };
  expect(await wrong('--server', 'ftp://x')).toContain('--server must be an http(s) address');
  expect(await wrong('--server', 'http://127.0.0.1:1')).toContain('set MEMHALL_TOKEN');
  expect(await wrong('--user', 'not valid')).toContain('user_id claim is not a valid id');
});

describe('the start of memhall mcp', () => {
  const start = useStdioClients();
  const directories: string[] = [];
  afterAll(() => {
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  });
  const newDirectory = () => {
    const directory = mkdtempSync(join(tmpdir(), 'memhall-mcp-'));
    directories.push(directory);
    return directory;
  };

  it('initializes before it opens the store, and a call that waits for it says so', { timeout: 120_000 }, async () => {
    const dataDirectory = join(newDirectory(), 'data');
    const { client, call } = await start(['--data', dataDirectory, '--embedder', 'none']);
    expect(client.getServerVersion()).toMatchObject({ name: 'memhall' });
    expect((await client.listTools()).tools).toHaveLength(6);
    expect(existsSync(join(dataDirectory, 'postgres'))).toBe(false);
    const told: Progress[] = [];
    const onprogress = (progress: Progress) => void told.push(progress);
    const result = await client.callTool({ name: 'search_memory' }, undefined, { onprogress });
    expect(result.structuredContent).toEqual({ memories: [] });
    expect(told[0]).toEqual({ progress: 0, message: 'opening the store' });
    expect(told.at(-1)).toMatchObject({ message: 'searching' });
    expect(told.map(({ progress }) => progress)).toEqual(told.map((_, index) => index));
    await call('commit_memory', { content: 'Said at the first start.', pin: true });
  });

  it('says why the store cannot be opened, and opens it once that is put right', { timeout: 120_000 }, async () => {
    const dataDirectory = join(newDirectory(), 'data');
    writeFileSync(dataDirectory, 'a file in its place');
    const user = await start(['--data', dataDirectory, '--embedder', 'none']);
    expect(await user.refusal('search_memory')).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/^The memory cannot be opened\. The data directory .*data cannot be used/),
      advice: expect.stringContaining('Continue without memory'),
    });
    await expect(user.client.listResources()).rejects.toThrow('The memory cannot be opened.');
    rmSync(dataDirectory);
    expect(await user.call('search_memory')).toEqual({ memories: [] });
  });

  it('says that a newer version wrote the store', { timeout: 120_000 }, async () => {
    const database = await createTestDatabase('embedded');
    const opened = await openDatabase(database.config(), pino({ level: 'silent' }));
    await opened.pool.query(`INSERT INTO memhall.migrations VALUES (9999, '9999_later', '', true, now())`);
    await opened.close();
    const user = await start([...flagsOf(database), '--embedder', 'none']);
    expect(await user.refusal('search_memory')).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('start a newer version'),
    });
    await user.client.close();
    await database.remove();
  });
});
