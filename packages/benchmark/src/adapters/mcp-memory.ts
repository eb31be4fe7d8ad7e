import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Adapter, Found, MemorySystem, Place } from '../adapter.js';
import { claim, noClaim } from '../capabilities.js';

interface McpClient {
  connect(transport: object): Promise<void>;
  callTool(call: { name: string; arguments: object }): Promise<ToolResult>;
  close(): Promise<void>;
}

interface ToolResult {
  isError?: boolean;
  content: { type: string; text?: string }[];
  structuredContent?: { entities?: Entity[] };
}

interface Entity {
  name: string;
  observations: string[];
}

const server = '@modelcontextprotocol/server-memory';

export const mcpMemory: Adapter = {
  name: 'mcp-memory',
  title: 'MCP memory server',
  settings: 'Over stdio, with MEMORY_FILE_PATH. Each memory is an entity with one observation.',
  documentation: 'https://github.com/modelcontextprotocol/servers/tree/main/src/memory',
  packages: [server, '@modelcontextprotocol/sdk'],
  storage: 'files',
  claims: {
    users: noClaim('One knowledge graph for every client of the file.'),
    tenants: noClaim('One knowledge graph for every client of the file.'),
    scopedIds: noClaim('One knowledge graph for every client of the file.'),
    restart: claim('README: persistent memory in a local file.'),
    processes: noClaim('Each client starts a server of its own. Nothing is said about several on one file.'),
    append: claim('README: `add_observations` adds new observations to existing entities.'),
    replace: noClaim('`delete_observations` and `add_observations` are two calls.'),
    forget: claim('README: `delete_entities`.'),
    forgetUser: noClaim('There are no users.'),
    compact: noClaim('Nothing is said about the file system.'),
    questions: noClaim(
      '`search_nodes` returns entities whose text contains the query as it stands. A model reads the rest with `read_graph`.',
    ),
    asOf: noClaim('Observations have no time.'),
    knownAt: noClaim('Observations have no time.'),
    supersedes: noClaim('Which observations to delete is up to the model.'),
    provenance: noClaim('An observation is a string.'),
  },
  open,
};

async function open({ importPackage, packageDirectory, directory }: Place): Promise<MemorySystem> {
  const { Client } = (await importPackage('@modelcontextprotocol/sdk/client/index.js')) as unknown as {
    Client: new (about: { name: string; version: string }) => McpClient;
  };
  const { StdioClientTransport } = (await importPackage('@modelcontextprotocol/sdk/client/stdio.js')) as unknown as {
    StdioClientTransport: new (options: object) => object;
  };
  const client = new Client({ name: 'memhall-benchmark', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(packageDirectory(server), 'dist', 'index.js')],
      env: { MEMORY_FILE_PATH: join(directory, 'memory.jsonl') },
      stderr: 'ignore',
    }),
  );
  const call = async (name: string, given: object): Promise<ToolResult> => {
    const result = await client.callTool({ name, arguments: given });
    if (result.isError) throw new Error(result.content[0]?.text ?? 'refused');
    return result;
  };
  const found = ({ structuredContent }: ToolResult): Found[] =>
    (structuredContent?.entities ?? []).map(({ name, observations }) => ({ id: name, text: observations.join('\n') }));
  return {
    async remember(_, { text }) {
      const name = randomUUID();
      await call('create_entities', { entities: [{ name, entityType: 'memory', observations: [text] }] });
      return name;
    },
    recall: async (_, query, limit) => found(await call('search_nodes', { query })).slice(0, limit),
    list: async () => found(await call('read_graph', {})),
    async append(_, id, line) {
      await call('add_observations', { observations: [{ entityName: id, contents: [line] }] });
    },
    async forget(_, id) {
      await call('delete_entities', { entityNames: [id] });
    },
    close: () => client.close(),
  };
}
