import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { connectMcp } from './support/mcp-client.js';
import { startTestServer, type TestServer } from './support/server.js';

interface Entry {
  command?: string;
  args?: string[];
  url?: string;
  headers?: Record<string, string>;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** The home directory variable in the syntax of Cursor and VS Code. */
const homeVariable = ['$', '{userHome}'].join('');
const guide = readFileSync(join(root, 'docs/guide/mcp.md'), 'utf8');

describe('MCP configurations in the guide', () => {
  const home = mkdtempSync(join(tmpdir(), 'memhall-home-'));
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await createTestDatabase('embedded');
    server = await startTestServer(database);
  });
  afterAll(async () => {
    await server.close();
    await database.remove();
    rmSync(home, { recursive: true });
  });

  const entries = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => {
    const { mcpServers, servers } = JSON.parse(text);
    return (mcpServers ?? servers).memhall as Entry;
  });
  const commands: Entry[] = [...guide.matchAll(/^claude mcp add memhall -- (.*)$/gm)].map(([, line = '']) => {
    const [command = '', ...args] = line.replace('~', homeVariable).split(' ');
    return { command, args };
  });

  it('covers Claude Code, Cursor and VS Code over both transports', () => {
    expect(entries.map(({ url }) => url === undefined)).toEqual([true, false, true, false]);
    expect(commands).toHaveLength(1);
    expect(guide).toContain('claude mcp add --transport http memhall http://127.0.0.1:8010/mcp --header');
  });

  const distinct = new Map(
    [...commands, ...entries].map(({ command, args, url, headers }) => {
      const entry = { command, args, url, headers };
      return [JSON.stringify(entry), entry];
    }),
  );

  it.each([...distinct.values()])('connects and remembers with %j', { timeout: 120_000 }, async (entry) => {
    const token = await server.token();
    const fill = (text: string) =>
      text
        .replace(homeVariable, home)
        .replace('http://127.0.0.1:8010', server.url)
        .replace(/\$\{(env|input):.*?\}/, token);
    const transport =
      entry.url === undefined
        ? new StdioClientTransport({
            command: entry.command ?? '',
            args: entry.args?.map(fill) ?? [],
            cwd: root,
            env: { ...getDefaultEnvironment(), MEMHALL_EMBEDDER: 'none' },
            stderr: 'ignore',
          })
        : new StreamableHTTPClientTransport(new URL(fill(entry.url)), {
            requestInit: { headers: { Authorization: fill(entry.headers?.Authorization ?? '') } },
          });
    const user = await connectMcp(transport as Transport);
    await user.call('commit_memory', { content: 'The guide is right.' });
    expect((await user.call('search_memory', { query: 'guide' })).memories[0].content).toBe('The guide is right.');
    await user.client.close();
  });
});
