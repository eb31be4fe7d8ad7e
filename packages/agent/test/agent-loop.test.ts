import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tool } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { AgentLoop } from '../src/agent/agent-loop.js';
import type { CompletedTurn, RecallRequest } from '../src/memory/memory-backend.js';
import { FileSessionStore } from '../src/sessions/file-session-store.js';
import { useGatewayServer } from './support/gateway-server.js';
import { gatewaySection, userKey } from './support/gateway-settings.js';
import { callTool, ScriptedModel } from './support/scripted-model.js';
import { useTemporaryDirectory } from './support/temporary-directory.js';
import { openTestAgent, type TestAgentOptions, writeAgentFile } from './support/test-agent.js';
import { verify } from './support/verify.js';

const server = useGatewayServer();
const directory = useTemporaryDirectory();
const recalledTea = { id: 'm1', text: 'Ann drinks green tea.', raw: { note: 'inner workings' } };
const weather = tool({
  description: 'Tells the weather.',
  inputSchema: z.object({ place: z.string() }),
  execute: () => 'tool result: sunny',
});

afterEach(() => void vi.unstubAllEnvs());

function open(mode: string, options: TestAgentOptions = {}, changes: Record<string, unknown> = {}) {
  const memory = { mode, gateway: gatewaySection(server.url, changes) };
  return openTestAgent(directory(), { memory, instructions: 'You are Beaver.', ...options });
}

function readCurated(name: string) {
  return readFileSync(join(directory(), '.beaver/memory', name), 'utf8');
}

describe('model input', () => {
  verify(['testing.loop.1', 'recall.2', 'architecture.2'], async () => {
    const order: string[] = [];
    server.onRequest = ({ path, body }) => void order.push(`${path} ${body.query ?? ''}`);
    const { loop } = await open('memory_gateway', { onCall: () => order.push('model') });
    await loop.run({ prompt: 'What do I drink?', sessionId: 's1' });
    expect(order.slice(0, 2)).toEqual(['/memories/search What do I drink?', 'model']);
  });

  verify(['recall.7', 'testing.loop.2', 'recall.10', 'testing.loop.3'], async () => {
    server.find([recalledTea, { text: 'Ann lives in Kyoto.' }]);
    writeAgentFile(
      directory(),
      'skills/brief/SKILL.md',
      '---\nname: brief\ndescription: "Be: short"\n---\nAnswer briefly.\n',
    );
    const { loop, model } = await open('memory_gateway', { script: ['Hello.', 'Tea.'] });
    await loop.run({ prompt: 'Hi!', sessionId: 's1' });
    await loop.run({ prompt: 'What do I drink?', sessionId: 's1', skills: ['brief'] });
    const [system = '', skill, recalled, ...rest] = model.shown(1);
    expect(system).toMatch(
      /^system: You are Beaver\.\n\n.*untrusted reference data.*\n\nSkills.*\n- brief: Be: short$/s,
    );
    expect(system).not.toContain('tea');
    expect(skill).toBe('user: The skill "brief" is activated. Follow it:\n\nAnswer briefly.');
    expect(recalled).toContain('"text":"Ann drinks green tea."');
    expect(recalled).toContain('"text":"Ann lives in Kyoto."');
    expect(rest).toEqual(['user: Hi!', 'assistant: Hello.', 'user: What do I drink?']);
    expect(model.shown(1).join()).not.toContain('inner workings');
  });

  it('has no recalled memories that are in the history, unless the history is too short to show them', async () => {
    const said = ['I drink tea.', 'Noted.', 'I drink tea.'].map((text) => ({ text, session_id: 'chat:s1' }));
    const { loop, model } = await open('memory_gateway', { maxHistoryCharacters: 300 });
    await loop.run({ prompt: 'I drink tea.', sessionId: 's1' });
    server.find([...said, { text: 'Ann lives in Kyoto.' }]);
    await loop.run({ prompt: 'What do I drink?', sessionId: 's1' });
    expect(model.shown(1)[1]).toContain('Kyoto');
    expect(model.shown(1)[1]).not.toContain('tea');
    await loop.run({ prompt: `Look: ${'x'.repeat(150)}`, sessionId: 's1' });
    await loop.run({ prompt: 'What do I drink?', sessionId: 's1' });
    expect(model.shown(3).slice(2).join()).not.toContain('tea');
    expect(model.shown(3)[1]).toContain('"text":"I drink tea."');
  });

  verify('recall.9', async () => {
    const { loop, model } = await open('memory_gateway');
    await loop.run({ prompt: 'one', sessionId: 's1' });
    server.find([recalledTea]);
    await loop.run({ prompt: 'two', sessionId: 's1' });
    server.behave('search', 'die');
    await loop.run({ prompt: 'three', sessionId: 's1' });
    const prompts = [0, 1, 2].map((call) => model.shown(call)[0]);
    expect(prompts[0]).toContain('untrusted reference data');
    expect(new Set(prompts).size).toBe(1);
  });

  it('has no rule about recalled memory in curated mode', async () => {
    const { loop, model } = await open('curated');
    await loop.run({ prompt: 'one' });
    expect(model.shown()).toEqual(['system: You are Beaver.', 'user: one']);
  });

  verify(['recall.11', 'testing.loop.8'], async () => {
    writeAgentFile(directory(), 'memory/USER.md', '- Ann drinks tea.\n');
    writeAgentFile(directory(), 'memory/MEMORY.md', '- The build is slow.\n');
    const note = callTool('memory', { action: 'add', target: 'user', content: 'Ann lives in Kyoto.' });
    const { loop, model, status } = await open('curated', { script: [[note], 'Noted.', 'Kyoto.'] });
    await loop.run({ prompt: 'I live in Kyoto.', sessionId: 's1' });
    expect(status.tools).toContain('memory');
    expect(model.toolsOf()).toContain('memory');
    const [before, during] = [model.shown(0)[0], model.shown(1)[0]];
    expect(before).toContain('# What you noted (MEMORY.md)\n\n- The build is slow.');
    expect(before).toContain('# About the user (USER.md)\n\n- Ann drinks tea.');
    expect(during).toBe(before);
    await loop.run({ prompt: 'Where do I live?', sessionId: 's1' });
    expect(model.shown(2)[0]).toContain('- Ann lives in Kyoto.');
    expect(server.requests).toEqual([]);
  });

  it('has curated and recalled memory in hybrid mode, with the memory tool', async () => {
    writeAgentFile(directory(), 'memory/USER.md', '- Ann drinks tea.\n');
    server.find([{ text: 'The tea was green.' }]);
    const { loop, model } = await open('hybrid');
    await loop.run({ prompt: 'Which tea?', sessionId: 's1' });
    expect(model.shown()[0]).toContain('- Ann drinks tea.');
    expect(model.shown()[0]).toContain('untrusted reference data');
    expect(model.shown()[1]).toContain('The tea was green.');
    expect(model.toolsOf().sort()).toEqual(['memory', 'session_search']);
    expect(server.paths()).toEqual(['/memories/search', '/memories/add', '/memories/flush']);
  });

  verify('testing.loop.9', async () => {
    const { loop, model, status } = await open('memory_gateway');
    await loop.run({ prompt: 'one', sessionId: 's1' });
    expect(status.tools).not.toContain('memory');
    expect(model.toolsOf()).toEqual(['session_search']);
  });

  verify('architecture.7', async () => {
    for (const mode of ['curated', 'memory_gateway', 'hybrid']) {
      const search = callTool('session_search', { query: 'umbrella' });
      const { loop, model } = await open(mode, { script: ['Noted.', [search], 'In the hall.'] });
      await loop.run({ prompt: `My umbrella is in the hall (${mode}).`, sessionId: `a-${mode}` });
      await loop.run({ prompt: `Where is my umbrella (${mode})?`, sessionId: `b-${mode}` });
      const answer = model.shown(2).at(-1) ?? '';
      expect(answer).toContain(`My umbrella is in the hall (${mode}).`);
      expect(answer).not.toContain(`Where is my umbrella (${mode})?`);
    }
  });

  it('has only completed runs of the session, and a shortened one if it is too long', async () => {
    const script = [
      'one',
      new Error('down'),
      [callTool('weather', { place: 'x' })],
      new Error('down'),
      'x'.repeat(900),
      'three',
    ];
    const { loop, model } = await open('curated', { script, tools: { weather }, maxHistoryCharacters: 1500 });
    await loop.run({ prompt: 'first', sessionId: 's1' });
    await expect(loop.run({ prompt: 'lost', sessionId: 's1' })).rejects.toThrow('down');
    await expect(loop.run({ prompt: 'lost as well', sessionId: 's1' })).rejects.toThrow('down');
    await loop.run({ prompt: 'long', sessionId: 's1' });
    expect(model.shown(4).slice(1)).toEqual(['user: first', 'assistant: one', 'user: long']);
    await loop.run({ prompt: `${'y'.repeat(600)}`, sessionId: 's1' });
    await loop.run({ prompt: 'last', sessionId: 's1' });
    expect(model.shown(6).slice(1)).toEqual([
      'user: first',
      'assistant: one',
      'user: long',
      expect.stringMatching(/^assistant: x+\n\[… \d+ characters left out …\]\nx+$/),
      `user: ${'y'.repeat(600)}`,
      'assistant: three',
      'user: last',
    ]);
  });

  it('has the tool calls of earlier turns with their results', async () => {
    const script = [[callTool('weather', { place: 'Kyoto' })], 'Sunny.', 'Still sunny.'];
    const { loop, model } = await open('curated', { script, tools: { weather } });
    await loop.run({ prompt: 'Weather?', sessionId: 's1' });
    await loop.run({ prompt: 'And now?', sessionId: 's1' });
    const roles = model.calls[2]?.prompt.map(({ role }) => role);
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
    expect(model.shown(2)[3]).toContain('tool result: sunny');
  });

  it('has a skill after the model asks for it, and an error for an unknown skill', async () => {
    writeAgentFile(directory(), 'skills/tea/SKILL.md', 'Warm the pot.');
    const script = [[callTool('use_skill', { name: 'tea' }), callTool('use_skill', { name: 'x' }, 'call-2')], 'Done.'];
    const { loop, model } = await open('curated', { script });
    await loop.run({ prompt: 'Make tea.' });
    expect(model.shown(1).at(-1)).toContain('Warm the pot.');
    expect(model.shown(1).at(-1)).toContain('There is no skill with that name.');
    await expect(loop.run({ prompt: 'x', skills: ['coffee'] })).rejects.toThrow('There is no skill with that name.');
  });
});

describe('persistence', () => {
  verify(['testing.loop.4', 'persistence.1'], async () => {
    const order: string[] = [];
    server.onRequest = ({ path }) => void order.push(path);
    const script = [[callTool('weather', { place: 'Kyoto' })], 'It is sunny.'];
    const { loop } = await open('memory_gateway', { script, tools: { weather }, onCall: () => order.push('model') });
    await loop.run({ prompt: 'How is the weather?', sessionId: 's1' });
    expect(order).toEqual(['/memories/search', 'model', 'model', '/memories/add', '/memories/flush']);
  });

  verify(['persistence.9', 'testing.loop.5', 'recall.8'], async () => {
    server.find([recalledTea]);
    writeAgentFile(directory(), 'skills/brief/SKILL.md', 'skill text: be brief');
    const script = [
      [
        { type: 'reasoning', text: 'private thought' },
        { type: 'text', text: 'interim' },
        callTool('weather', { place: 'Kyoto' }),
      ],
      [
        { type: 'reasoning', text: 'private thought' },
        { type: 'text', text: 'It is sunny.' },
      ],
    ] as const;
    const { loop, events } = await open('memory_gateway', { script, tools: { weather } });
    await loop.run({ prompt: 'How is the weather?', sessionId: 's1', skills: ['brief'] });
    expect(
      server.bodyOf('add').messages.map(({ role, content }: Record<string, string>) => `${role}: ${content}`),
    ).toEqual(['user: How is the weather?', 'assistant: It is sunny.']);
    const sent = JSON.stringify([server.bodyOf('add'), server.bodyOf('flush')]);
    for (const never of ['private', 'interim', 'Kyoto', 'tool result', 'green tea', 'brief', 'Beaver', 'recall']) {
      expect(sent.replace('It is sunny.', '')).not.toContain(never);
    }
    const session = JSON.stringify(events());
    for (const never of ['private thought', 'green tea', 'recalled_memory', 'skill text'])
      expect(session).not.toContain(never);
    expect(session).toContain('tool result: sunny');
  });

  verify('persistence.8', async () => {
    const { loop } = await open('memory_gateway', {
      script: [[callTool('weather', { place: 'Kyoto' })]],
      tools: { weather },
      maxSteps: 3,
    });
    const result = await loop.run({ prompt: 'How is the weather?', sessionId: 's1' });
    expect(result).toMatchObject({
      finishReason: 'tool_limit',
      steps: 3,
      text: expect.stringContaining('after 3 steps'),
    });
    expect(server.bodyOf('add').messages[1].content).toBe(result.text);
  });

  it('includes the substitute answer if the model gives none', async () => {
    const { loop } = await open('memory_gateway', { script: [''] });
    const { text } = await loop.run({ prompt: 'Well?', sessionId: 's1' });
    expect(text).toBe('I have no answer to that.');
    expect(server.bodyOf('add').messages[1].content).toBe(text);
  });

  verify('persistence.7', async () => {
    const { loop, events } = await open('memory_gateway', { script: [new Error('no model today')] });
    await expect(loop.run({ prompt: 'Hello?', sessionId: 's1' })).rejects.toThrow('no model today');
    const caller = new AbortController();
    server.onRequest = () => caller.abort(new Error('never mind'));
    await expect(loop.run({ prompt: 'Hello?', sessionId: 's1', signal: caller.signal })).rejects.toThrow('never mind');
    expect(server.paths()).toEqual(['/memories/search', '/memories/search']);
    expect(events().filter(({ type }) => type === 'run_failed')).toHaveLength(2);
    expect(JSON.stringify(events())).not.toContain('no model today');
  });

  verify(['persistence.10', 'security.6'], async () => {
    const note = callTool('memory', { action: 'add', target: 'memory', content: 'The build is slow.' });
    const curated = await open('curated', { script: ['Just talk.', [note], 'Noted.'] });
    await curated.loop.run({ prompt: 'one', sessionId: 's1' });
    expect(existsSync(join(directory(), '.beaver/memory'))).toBe(false);
    await curated.loop.run({ prompt: 'two', sessionId: 's1' });
    expect(readCurated('MEMORY.md')).toBe('- The build is slow.\n');
    expect(server.requests).toEqual([]);
    const remote = await open('memory_gateway', { script: [[note], 'Noted.'] });
    await remote.loop.run({ prompt: 'three', sessionId: 's2' });
    expect(readCurated('MEMORY.md')).toBe('- The build is slow.\n');
    expect(existsSync(join(directory(), '.beaver/memory/USER.md'))).toBe(false);
  });

  it('lets the model correct its notes, and reports a rejected note', async () => {
    writeAgentFile(directory(), 'memory/USER.md', '- Ann drinks tea.\n');
    const script = [
      [
        callTool('memory', { action: 'replace', target: 'user', find: 'tea', content: 'Ann drinks coffee.' }, 'c1'),
        callTool('memory', { action: 'remove', target: 'memory', find: 'x' }, 'c2'),
      ],
      'Done.',
    ];
    const { loop, model } = await open('curated', { script });
    await loop.run({ prompt: 'Coffee, not tea.' });
    expect(model.shown(1).at(-1)).toContain('No entry contains that text.');
    expect(readCurated('USER.md')).toBe('- Ann drinks coffee.\n');
  });
});

describe('sessions', () => {
  verify('recall.1', async () => {
    const { loop } = await open('memory_gateway');
    await loop.run({ prompt: 'one', sessionId: 'my-session' });
    expect(server.bodyOf('search').conversation_id).toBe('my-session');
    expect(server.bodyOf('add').session_id).toBe('chat:my-session');
    server.reset();
    const { sessionId } = await loop.run({ prompt: 'two' });
    expect(sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(server.bodyOf('search').conversation_id).toBe(sessionId);
    expect(server.bodyOf('flush').session_id).toBe(`chat:${sessionId}`);
  });

  it.each([[{ prompt: ' ' }], [{ prompt: 'x', sessionId: '../x' }], [{ prompt: 'x', sessionId: '' }]])(
    'are not started with %j',
    async (request) => {
      const { loop, model } = await open('memory_gateway');
      await expect(loop.run(request)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      expect(model.calls).toHaveLength(0);
      expect(server.requests).toEqual([]);
    },
  );

  it('serialize runs, and each run sees the previous answer', async () => {
    const { loop, model } = await open('curated', { script: ['a1', 'a2', 'a3'] });
    await Promise.all(['q1', 'q2', 'q3'].map((prompt) => loop.run({ prompt, sessionId: 's1' })));
    expect(model.shown(2).slice(1)).toEqual(['user: q1', 'assistant: a1', 'user: q2', 'assistant: a2', 'user: q3']);
  });

  it('are stored step by step, so that a crash loses no completed step', async () => {
    const seen: string[] = [];
    const script = [[callTool('weather', { place: 'Kyoto' })], 'Sunny.'];
    const agent = await open('curated', {
      script,
      tools: { weather },
      onCall: () =>
        void seen.push(
          agent
            .events()
            .map(({ type }) => type)
            .join(' '),
        ),
    });
    await agent.loop.run({ prompt: 'Weather?', sessionId: 's1' });
    expect(seen).toEqual(['message', 'message message message']);
    expect(
      agent
        .events()
        .map(({ type }) => type)
        .join(' '),
    ).toBe('message message message message run_completed');
  });
});

describe('the memory backend', () => {
  verify(['architecture.1', 'architecture.3', 'architecture.8'], async () => {
    const calls: string[] = [];
    const memory = {
      async recallBeforeRun({ sessionId, prompt }: RecallRequest) {
        calls.push(`recall ${sessionId} ${prompt}`);
        return { rules: ['My own rule.'], references: [{ text: 'my own memory' }] };
      },
      async persistAfterRun({ sessionId, user, assistant }: CompletedTurn) {
        calls.push(`persist ${sessionId} ${user.content} ${assistant.content}`);
      },
    };
    const scripted = new ScriptedModel(['Noted.'], () => calls.push('model'));
    const loop = new AgentLoop({ model: scripted.model, memory, sessions: new FileSessionStore(directory()) });
    await loop.run({ prompt: 'Hello', sessionId: 's1' });
    expect(calls).toEqual(['recall s1 Hello', 'model', 'persist s1 Hello Noted.']);
    expect(scripted.shown()[0]).toContain('My own rule.');
    expect(scripted.shown()[1]).toContain('my own memory');
  });

  verify('architecture.6', async () => {
    await expect(open('memory_gateway', {}, { topK: 0 })).rejects.toThrow('memory.gateway.topK');
    const tools = async (mode: string) => (await open(mode)).status.tools;
    expect(await tools('curated')).toEqual(['memory', 'session_search']);
    expect(await tools('memory_gateway')).toEqual(['session_search']);
    expect(await tools('hybrid')).toEqual(['memory', 'session_search']);
  });

  verify('security.1', async () => {
    for (const name of ['MEMHALL_USER_KEY', 'BEAVER_USER_KEY', 'USER_KEY']) vi.stubEnv(name, 'uk_fromTheEnvironment');
    writeAgentFile(
      directory(),
      'config.json',
      JSON.stringify({ memory: { mode: 'memory_gateway', gateway: gatewaySection(server.url) } }),
    );
    const { loop } = await openTestAgent(directory());
    await loop.run({ prompt: 'Hello', sessionId: 's1' });
    expect(server.requests.map(({ body }) => body.user_key)).toEqual([userKey, userKey, userKey]);
    const { memory } = (await openTestAgent(join(directory(), 'elsewhere'))).status;
    expect(memory).toEqual({ mode: 'curated' });
  });
});

describe('a run off the record', () => {
  it('stores nothing, has no tools that do, and is seen by later runs of the process', async () => {
    const { loop, model, events } = await open('hybrid', { script: ['Hello.', 'I will not tell.', 'Yes.'] });
    await loop.run({ prompt: 'Hi!', sessionId: 's1' });
    const before = [events(), server.requests.filter(({ path }) => path !== '/memories/search').length];
    expect(model.toolsOf(0)).toContain('memory');
    await loop.run({ prompt: 'I look for a job.', sessionId: 's1', offTheRecord: true });
    expect(model.toolsOf(1)).toEqual(['session_search']);
    expect([events(), server.requests.filter(({ path }) => path !== '/memories/search').length]).toEqual(before);
    await loop.run({ prompt: 'Do you recall?', sessionId: 's1' });
    expect(model.shown(2).slice(-5)).toEqual([
      'user: Hi!',
      'assistant: Hello.',
      'user: I look for a job.',
      'assistant: I will not tell.',
      'user: Do you recall?',
    ]);
    expect(JSON.stringify(events())).not.toContain('job');
    const another = await open('hybrid');
    await another.loop.run({ prompt: 'And you?', sessionId: 's1' });
    expect(another.model.shown(0).join()).not.toContain('job');
  });
});
