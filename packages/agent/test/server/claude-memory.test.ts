import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import Anthropic from '@anthropic-ai/sdk';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { MemoryToolClient } from '@memhall/client/memory-tool';
import { afterEach, expect, it } from 'vitest';
import { describeOneDatabase } from '../../../server/test/support/databases.js';
import { useServer } from '../../../server/test/support/server.js';
import { claudeMemory } from '../../src/claude-memory.js';

interface ToolResult {
  type: string;
  tool_use_id: string;
  content: unknown;
  is_error?: boolean;
}

/** A stand-in for the Messages API: calls the memory tool with one input after the other, then ends its turn. */
async function startFakeMessages(inputs: readonly object[]) {
  const requests: { tools: object[]; messages: { role: string; content: ToolResult[] }[] }[] = [];
  const server: Server = createServer(async (request: IncomingMessage, response) => {
    requests.push((await json(request)) as (typeof requests)[number]);
    const input = inputs[requests.length - 1];
    const content =
      input === undefined
        ? [{ type: 'text', text: 'Done.' }]
        : [{ type: 'tool_use', id: `toolu_${requests.length}`, name: 'memory', input }];
    const message = {
      ...{ id: `msg_${requests.length}`, type: 'message', role: 'assistant', model: 'fake', content },
      ...{ stop_reason: input === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const results = () => requests.slice(1).map(({ messages }) => messages.at(-1)?.content[0]);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, results, close: () => server.close() };
}

describeOneDatabase('the memory tool of Anthropic’s SDK', (database) => {
  const server = useServer(database);
  let close = () => {};
  afterEach(() => close());

  it('keeps its files in Memhall', async () => {
    const path = '/memories/tea.md';
    const fake = await startFakeMessages([
      { command: 'view', path: '/memories' },
      { command: 'create', path, file_text: 'Ann takes her tea black.\n' },
      { command: 'str_replace', path, old_str: 'black', new_str: 'with milk' },
      { command: 'insert', path, insert_line: 1, insert_text: 'She has it at four.\n' },
      { command: 'rename', old_path: path, new_path: '/memories/drinks/tea.md' },
      { command: 'view', path: '/memories/drinks/tea.md' },
      { command: 'delete', path },
      { command: 'view', path },
      { command: 'create', path: '/etc/passwd', file_text: 'x' },
    ]);
    close = fake.close;
    const token = await server().token({ user: 'ann' });
    const client = new MemoryToolClient({ baseUrl: server().url, token });
    const anthropic = new Anthropic({ apiKey: 'none', baseURL: fake.url });
    const final = await anthropic.beta.messages.toolRunner({
      ...{ model: 'fake', max_tokens: 100, messages: [{ role: 'user', content: 'How do I take my tea?' }] },
      tools: [betaMemoryTool(claudeMemory({ client, agentId: 'waiter' }))],
    });
    expect(final.content).toEqual([{ type: 'text', text: 'Done.' }]);
    expect(fake.requests[0]?.tools).toEqual([{ type: 'memory_20250818', name: 'memory' }]);
    const title =
      "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:";
    const edited = 'The memory file has been edited. Here is the snippet showing the change (with line numbers):';
    expect(fake.results().map((result) => [result?.content, result?.is_error ?? false])).toEqual([
      [`${title}\n0B\t/memories`, false],
      [`File created successfully at: ${path}`, false],
      [`${edited}\n     1\tAnn takes her tea with milk.\n     2\t`, false],
      [`The file ${path} has been edited.`, false],
      [`Successfully renamed ${path} to /memories/drinks/tea.md`, false],
      [
        "Here's the content of /memories/drinks/tea.md with line numbers:\n     1\tAnn takes her tea with milk.\n     2\tShe has it at four.\n     3\t",
        false,
      ],
      [`Error: The path ${path} does not exist`, true],
      [`Error: The path ${path} does not exist. Please provide a valid path.`, true],
      ['Error: Path must start with /memories, got: /etc/passwd', true],
    ]);
    const recalled = await server().call({ method: 'POST', path: '/v1/recall', body: { query: 'Ann tea' }, token });
    expect(recalled.body.results[0]).toMatchObject({ trust: 'agent', origin: { surface: 'files', author: 'ann' } });
  });

  it('tells the model why Memhall refused a call', async () => {
    const fake = await startFakeMessages([{ command: 'view', path: '/memories' }]);
    close = fake.close;
    const token = await server().token({ user: 'ann', claims: { agent_id: 'waiter' } });
    const client = new MemoryToolClient({ baseUrl: server().url, token });
    await new Anthropic({ apiKey: 'none', baseURL: fake.url }).beta.messages.toolRunner({
      ...{ model: 'fake', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
      tools: [betaMemoryTool(claudeMemory({ client, agentId: 'cook' }))],
    });
    const [result] = fake.results();
    expect(result).toMatchObject({ is_error: true, content: expect.stringContaining('belongs to a different agent') });
  });
});
