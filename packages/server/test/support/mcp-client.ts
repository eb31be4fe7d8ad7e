import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll } from 'vitest';

export interface McpUser {
  client: Client;
  /** Returns the structured result of a successful tool call. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at, not typed
  call(tool: string, input?: Record<string, unknown>): Promise<any>;
  /** Returns the error of a failed tool call. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at, not typed
  refusal(tool: string, input?: Record<string, unknown>): Promise<any>;
}

/** Connects the client of the MCP SDK. Fails if the structured data and the text of a result differ. */
export async function connectMcp(transport: Transport): Promise<McpUser> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const call = async (name: string, input: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: input })) as CallToolResult;
  const textOf = ({ content: [first] }: CallToolResult) => JSON.parse(first?.type === 'text' ? first.text : '');
  return {
    client,
    async call(tool, input) {
      const result = await call(tool, input);
      const told = textOf(result);
      if (result.isError) throw new Error(JSON.stringify(told));
      if (JSON.stringify(told) !== JSON.stringify(result.structuredContent)) throw new Error('text and data differ');
      return result.structuredContent;
    },
    async refusal(tool, input) {
      const result = await call(tool, input);
      if (!result.isError) throw new Error(`${tool} was not refused`);
      return textOf(result).error;
    },
  };
}

/** Connects clients to `/mcp` and closes them after a suite. */
export function useMcpClients(): (url: string, token: string) => Promise<McpUser> {
  const open: McpUser[] = [];
  afterAll(() => Promise.all(open.map(({ client }) => client.close())));
  return async (url, token) => {
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const user = await connectMcp(
      new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }) as Transport,
    );
    open.push(user);
    return user;
  };
}
