import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  generateText,
  type ModelMessage,
  simulateReadableStream,
  stepCountIs,
  streamText,
  tool,
  wrapLanguageModel,
} from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createMemoryMiddleware } from '../src/adapters/memory-middleware.js';
import { type ChatMessage, rememberMessages } from '../src/adapters/remember-messages.js';
import { parseMemoryConfiguration } from '../src/configuration/memory-configuration.js';
import { createMemoryBackend } from '../src/memory/create-memory-backend.js';
import { CuratedMemory } from '../src/memory/curated-memory.js';
import type { MemoryAuditEvent, MemoryBackend } from '../src/memory/memory-backend.js';
import { memorySearch } from '../src/tools/memory-search.js';
import { useGatewayServer } from './support/gateway-server.js';
import { gatewaySection } from './support/gateway-settings.js';
import { callTool, type Scripted, ScriptedModel } from './support/scripted-model.js';
import { useTemporaryDirectory } from './support/temporary-directory.js';

const server = useGatewayServer();
const directory = useTemporaryDirectory();
let memory: MemoryBackend;
let events: MemoryAuditEvent[];
beforeEach(() => {
  const configuration = parseMemoryConfiguration({ mode: 'hybrid', gateway: gatewaySection(server.url) });
  memory = createMemoryBackend(configuration, new CuratedMemory(directory()));
  events = [];
  server.find([{ text: 'Ann drinks green tea.' }]);
});
const audit = (event: MemoryAuditEvent) => void events.push(event);
const persisted = () => server.bodyOf('add')?.messages.map(({ content }: { content: string }) => content);
const recalled = expect.stringContaining('Ann drinks green tea.');
const rule = expect.stringContaining('untrusted reference data');

describe('the middleware for AI SDK models', () => {
  function remembering(script: readonly Scripted[], recall: 'once' | 'every_prompt' = 'every_prompt') {
    const scripted = new ScriptedModel(script);
    const middleware = createMemoryMiddleware({ memory, sessionId: 's1', audit, recall });
    return { scripted, model: wrapLanguageModel({ model: scripted.model, middleware }) };
  }

  it('recalls before the history and remembers the turn', async () => {
    const { scripted, model } = remembering(['Tea.']);
    const messages = [
      { role: 'user' as const, content: 'Hi!' },
      { role: 'assistant' as const, content: 'Hello.' },
      { role: 'user' as const, content: 'What do I drink?' },
    ];
    expect((await generateText({ model, system: 'Be kind.', messages })).text).toBe('Tea.');
    expect(scripted.shown()).toEqual([
      'system: Be kind.',
      rule,
      recalled,
      'user: Hi!',
      'assistant: Hello.',
      'user: What do I drink?',
    ]);
    expect(server.bodyOf('search')).toMatchObject({ query: 'What do I drink?', conversation_id: 's1' });
    expect(persisted()).toEqual(['What do I drink?', 'Tea.']);
    expect(events.map(({ type }) => type)).toEqual([
      'memory_gateway_recall_succeeded',
      'memory_gateway_add_succeeded',
      'memory_gateway_flush_succeeded',
    ]);
  });

  it('recalls at the first prompt only, unless told otherwise, and shows the same memories in the next ones', async () => {
    const scripted = new ScriptedModel(['Tea.', 'Coffee.']);
    const middleware = createMemoryMiddleware({ memory, sessionId: 's1', audit });
    const model = wrapLanguageModel({ model: scripted.model, middleware });
    const messages: ModelMessage[] = [{ role: 'user', content: 'What do I drink?' }];
    await generateText({ model, messages });
    server.find([{ text: 'Bob drinks coffee.' }]);
    messages.push({ role: 'assistant', content: 'Tea.' }, { role: 'user', content: 'And Bob?' });
    await generateText({ model, messages });
    expect(scripted.shown(1).slice(0, 3)).toEqual(scripted.shown(0).slice(0, 3));
    expect(scripted.shown(1)[0]).toContain('search_memory');
    expect(server.paths().filter((path) => path === '/memories/search')).toHaveLength(1);
    const added = server.requests.filter(({ path }) => path === '/memories/add');
    expect(added.map(({ body }) => body.messages[0].content)).toEqual(['What do I drink?', 'And Bob?']);
  });

  it('recalls at the next prompt as long as recall fails or finds nothing', async () => {
    server.behave('search', 'die');
    const { scripted, model } = remembering(['Hello.'], 'once');
    await generateText({ model, prompt: 'Hi!' });
    server.find([]);
    await generateText({ model, prompt: 'How are you?' });
    server.find([{ text: 'Ann drinks green tea.' }]);
    await generateText({ model, prompt: 'What do I drink?' });
    await generateText({ model, prompt: 'And now?' });
    expect(scripted.shown(2)).toContainEqual(recalled);
    expect(server.paths().filter((path) => path === '/memories/search')).toHaveLength(3);
  });

  it('lets the model search for the rest', async () => {
    const { scripted, model } = remembering([[callTool('search_memory', { query: 'Bob drinks' })], 'Coffee.'], 'once');
    const search = memorySearch({ memory, sessionId: 's1', audit });
    const ask = (prompt: string) =>
      generateText({ model, prompt, tools: { search_memory: search }, stopWhen: stepCountIs(3) });
    server.find([{ text: 'Bob drinks coffee.' }]);
    expect((await ask('What does Bob drink?')).text).toBe('Coffee.');
    expect(scripted.shown(1).at(-1)).toContain('Bob drinks coffee.');
    expect(server.requests.at(-3)?.body).toMatchObject({ query: 'Bob drinks' });
    server.find([]);
    expect(await search.execute({ query: 'Bob' })).toContain('No memory fits.');
    server.behave('search', 'die');
    expect(await search.execute({ query: 'Bob' })).toContain('does not answer now');
  });

  it('does not recall what the prompt contains already', async () => {
    server.find([{ text: 'Hello.' }, { text: 'Ann drinks green tea.' }]);
    const { scripted, model } = remembering(['Tea.']);
    const messages = [
      { role: 'user' as const, content: 'Hi!' },
      { role: 'assistant' as const, content: 'Hello.' },
      { role: 'user' as const, content: 'What do I drink?' },
    ];
    await generateText({ model, messages });
    expect(scripted.shown()[1]).toContain('Ann drinks green tea.');
    expect(scripted.shown()[1]).not.toContain('Hello.');
  });

  it('treats the steps of a tool loop as one turn', async () => {
    const { scripted, model } = remembering([[callTool('weather', {})], 'Sunny.', 'Still sunny.']);
    const tools = { weather: tool({ inputSchema: z.object({}), execute: () => 'sunny' }) };
    await generateText({ model, prompt: 'Weather?', tools, stopWhen: stepCountIs(5) });
    expect(server.paths()).toEqual(['/memories/search', '/memories/add', '/memories/flush']);
    expect(scripted.shown(1).slice(0, 2)).toEqual(scripted.shown(0).slice(0, 2));
    expect(persisted()).toEqual(['Weather?', 'Sunny.']);
    await generateText({ model, prompt: 'Weather?' });
    expect(server.paths().slice(3)).toEqual(['/memories/search', '/memories/add', '/memories/flush']);
  });

  it('does not remember a failed call, and recalls once if the SDK retries', async () => {
    const { model } = remembering([new Error('down')]);
    await expect(generateText({ model, prompt: 'Hi!', maxRetries: 0 })).rejects.toThrow('down');
    await expect(generateText({ model, prompt: 'Hi!', maxRetries: 0 })).rejects.toThrow('down');
    expect(server.paths()).toEqual(['/memories/search']);
  });

  it('works if the gateway fails', async () => {
    for (const operation of ['search', 'add'] as const) server.behave(operation, 'die');
    const { model } = remembering(['Hello.']);
    expect((await generateText({ model, prompt: 'Hi!' })).text).toBe('Hello.');
    expect(events.map(({ type }) => type)).toEqual(['memory_gateway_recall_failed', 'memory_gateway_add_failed']);
  });

  describe('in streams', () => {
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };

    function streaming(finishReason: 'stop' | 'error') {
      const stream = simulateReadableStream({
        chunks: [
          { type: 'text-start' as const, id: 't' },
          { type: 'text-delta' as const, id: 't', delta: 'Green ' },
          { type: 'text-delta' as const, id: 't', delta: 'tea.' },
          { type: 'text-end' as const, id: 't' },
          { type: 'finish' as const, finishReason: { unified: finishReason, raw: undefined }, usage },
        ],
      });
      const model = new MockLanguageModelV3({ doStream: async () => ({ stream }) });
      const middleware = createMemoryMiddleware({ memory, sessionId: 's1', audit });
      return wrapLanguageModel({ model, middleware });
    }

    it('remembers a streamed answer', async () => {
      const { textStream } = streamText({ model: streaming('stop'), prompt: 'What do I drink?' });
      const parts: string[] = [];
      for await (const part of textStream) parts.push(part);
      expect(parts).toEqual(['Green ', 'tea.']);
      expect(persisted()).toEqual(['What do I drink?', 'Green tea.']);
    });

    it('does not remember an interrupted answer', async () => {
      const result = streamText({ model: streaming('error'), prompt: 'What do I drink?' });
      for await (const _ of result.fullStream);
      expect(server.paths()).toEqual(['/memories/search']);
    });
  });
});

describe('messages for chat completion services', () => {
  let received: ChatMessage[] = [];
  const service = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    received = JSON.parse(text).messages;
    const message = { role: 'assistant', content: 'Tea.' };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ choices: [{ index: 0, message }] }));
  });
  beforeAll(() => new Promise<void>((done) => void service.listen(0, '127.0.0.1', done)));
  afterAll(() => void service.close());

  async function ask(messages: readonly ChatMessage[]) {
    const turn = await rememberMessages(memory, { sessionId: 's1', messages, audit });
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1/chat/completions`;
    const body = JSON.stringify({ model: 'm', messages: turn.messages });
    const answer = (await (await fetch(url, { method: 'POST', body })).json()).choices[0].message.content;
    await turn.complete(answer);
  }

  it('include recalled memories, and the turn is remembered', async () => {
    const messages = [
      { role: 'developer', content: 'Be kind.' },
      { role: 'user', content: 'Hi!' },
      { role: 'assistant', content: null, tool_calls: [] },
      {
        role: 'user',
        content: [{ type: 'text', text: 'What do I' }, { type: 'image_url' }, { type: 'text', text: 'drink?' }],
      },
    ];
    const before = structuredClone(messages);
    await ask(messages);
    expect(received).toEqual([
      messages[0],
      { role: 'system', content: rule },
      { role: 'user', content: recalled },
      ...messages.slice(1),
    ]);
    expect(messages).toEqual(before);
    expect(persisted()).toEqual(['What do I\ndrink?', 'Tea.']);
  });

  it('do not repeat messages as recalled memories', async () => {
    server.find([{ text: 'Hello.' }, { text: 'Ann drinks green tea.' }]);
    const messages = [
      { role: 'user', content: 'Hi!' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'What do I drink?' },
    ];
    await ask(messages);
    expect(received[1]?.content).toEqual(recalled);
    expect(received[1]?.content).not.toContain('Hello.');
  });

  it('are unchanged without a user message', async () => {
    await ask([{ role: 'system', content: 'Be kind.' }]);
    expect(received).toEqual([{ role: 'system', content: 'Be kind.' }]);
    expect(server.requests).toEqual([]);
  });
});
