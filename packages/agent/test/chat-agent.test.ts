import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useGatewayServer } from './support/gateway-server.js';
import { gatewaySection, userKey } from './support/gateway-settings.js';
import { useTemporaryDirectory } from './support/temporary-directory.js';
import { writeAgentFile } from './support/test-agent.js';

const chat = fileURLToPath(new URL('../../../examples/chat-agent/chat.mjs', import.meta.url));
const gateway = useGatewayServer();
const directory = useTemporaryDirectory();

// biome-ignore lint/suspicious/noExplicitAny: requests are inspected, not typed
let asked: any;
let authorization: string | undefined;
const service = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  asked = JSON.parse(text);
  authorization = request.headers.authorization;
  const deltas = [{ role: 'assistant', content: 'Green ' }, { content: 'tea.' }];
  response.setHeader('content-type', 'text/event-stream');
  for (const choice of [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: 'stop' }]) {
    response.write(`data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, ...choice }] })}\n\n`);
  }
  response.end('data: [DONE]\n\n');
});
beforeAll(() => new Promise<void>((done) => void service.listen(0, '127.0.0.1', done)));
afterAll(() => void service.close());

async function talk(input: string, environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [chat, directory()], { env: { PATH: process.env.PATH, ...environment } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  child.stdin.end(input);
  const code = await new Promise((done) => child.once('close', done));
  return { code, output };
}

function configure(changes: Record<string, unknown> = {}) {
  const memory = { mode: 'memory_gateway', gateway: gatewaySection(gateway.url, changes) };
  writeAgentFile(directory(), 'config.json', JSON.stringify({ memory }));
}

it('the chat calls a model behind an OpenAI-compatible endpoint, with memories from the gateway', async () => {
  configure();
  gateway.find([{ text: 'Ann drinks green tea.' }]);
  const { port } = service.address() as AddressInfo;
  const { code, output } = await talk('What do I drink?\n', {
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    OPENAI_API_KEY: 'sk-test',
    OPENAI_MODEL: 'm1',
  });
  expect(output).toContain('> Green tea.');
  expect(code).toBe(0);
  expect(authorization).toBe('Bearer sk-test');
  expect(asked).toMatchObject({ model: 'm1', stream: true });
  expect(asked.messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user', 'user']);
  expect(asked.messages[1].content).toContain('Ann drinks green tea.');
  expect(asked.tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual(['session_search']);
  expect(gateway.paths()).toEqual(['/memories/search', '/memories/add', '/memories/flush']);
  expect(output).not.toContain(userKey);
});

it('the chat does not start with an invalid configuration, and says what to change', async () => {
  configure({ topK: 0 });
  const { code, output } = await talk('Hello?\n');
  expect(output.trim()).toBe('Configuration: memory.gateway.topK must be a whole number from 1 to 100.');
  expect(code).toBe(1);
});
