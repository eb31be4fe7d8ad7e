import { setImmediate } from 'node:timers/promises';
import { tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { AgentLoop, type AgentRunRequest } from '../src/agent/agent-loop.js';
import type { AgentRunPart, AgentRunStream } from '../src/agent/agent-run-stream.js';
import { SecretText } from '../src/configuration/secret-text.js';
import { FileSessionStore } from '../src/sessions/file-session-store.js';
import type { SessionEvent } from '../src/sessions/session-store.js';
import { useGatewayServer } from './support/gateway-server.js';
import { gatewaySection, userKey } from './support/gateway-settings.js';
import { callTool, ScriptedModel } from './support/scripted-model.js';
import { useTemporaryDirectory } from './support/temporary-directory.js';
import { openTestAgent, type TestAgentOptions, writeAgentFile } from './support/test-agent.js';

const server = useGatewayServer();
const directory = useTemporaryDirectory();
const request = { prompt: 'How is the weather?', sessionId: 's1' };
const weather = tool({
  description: 'Tells the weather.',
  inputSchema: z.object({ place: z.string() }),
  execute: ({ place }) => {
    if (place === 'nowhere') throw new Error('There is no such place.');
    return { sky: 'sunny', place };
  },
});
const toolScript = [
  [{ type: 'text', text: 'Let me look.' } as const, callTool('weather', { place: 'Kyoto' })],
  'It is sunny in Kyoto.',
];

const noMemory = { recallBeforeRun: async () => ({ rules: [], references: [] }), persistAfterRun: async () => {} };

function open(name: string, options: TestAgentOptions = {}) {
  const memory = { mode: 'memory_gateway', gateway: gatewaySection(server.url, { timeoutSeconds: 0.5 }) };
  writeAgentFile(`${directory()}/${name}`, 'skills/brief/SKILL.md', 'Be brief.');
  return openTestAgent(`${directory()}/${name}`, { memory, now: steadyClock(), tools: { weather }, ...options });
}

/** The same times in every run. */
function steadyClock(): () => number {
  let now = Date.parse('2026-06-01T14:30:00Z');
  return () => now++;
}

async function collect(stream: AgentRunStream): Promise<{ parts: AgentRunPart[]; error?: unknown }> {
  const parts: AgentRunPart[] = [];
  try {
    for await (const part of stream) parts.push(part);
    return { parts };
  } catch (error) {
    return { parts, error };
  }
}

function textOf(parts: readonly AgentRunPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : `<${part.type}>`)).join('');
}

/** Fails to store events that contain a text. */
class FullDisk extends FileSessionStore {
  constructor(
    path: string,
    readonly text: string,
  ) {
    super(path);
  }

  override async append(id: string, events: readonly SessionEvent[]): Promise<void> {
    if (JSON.stringify(events).includes(this.text)) throw new Error('disk full');
    await super.append(id, events);
  }
}

describe('a streamed run', () => {
  it('yields text as it arrives, the steps of tools and the result', async () => {
    const { loop } = await open('a', { script: toolScript });
    const stream = loop.stream(request);
    const { parts } = await collect(stream);
    const result = await stream.result;
    expect(parts.slice(0, 3)).toEqual(['Let m', 'e loo', 'k.'].map((text) => ({ type: 'text', text })));
    expect(parts.filter(({ type }) => type !== 'text')).toEqual([
      { type: 'tool_call', toolCallId: 'call-1', toolName: 'weather', input: { place: 'Kyoto' } },
      { type: 'tool_result', toolCallId: 'call-1', toolName: 'weather', output: { sky: 'sunny', place: 'Kyoto' } },
      { type: 'result', result },
    ]);
    expect(textOf(parts)).toBe('Let me look.<tool_call><tool_result>It is sunny in Kyoto.<result>');
    expect(stream.sessionId).toBe('s1');
    expect(result).toMatchObject({ sessionId: 's1', text: 'It is sunny in Kyoto.', finishReason: 'stop', steps: 2 });
  });

  it('yields text before the model has finished', async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { model: scripted } = new ScriptedModel(['Hello there.']);
    const model = new MockLanguageModelV3({
      doStream: async (call) => {
        const { stream } = await scripted.doStream(call);
        const slow = new TransformStream({
          transform: async (part: { type: string }, controller) => {
            if (part.type === 'text-end') await finished;
            controller.enqueue(part);
          },
        });
        return { stream: stream.pipeThrough(slow) as typeof stream };
      },
    });
    const loop = new AgentLoop({ model, memory: noMemory, sessions: new FileSessionStore(directory()) });
    let text = '';
    for await (const part of loop.stream(request)) {
      if (part.type === 'text') text += part.text;
      if (text === 'Hello there.') finish();
    }
    expect(text).toBe('Hello there.');
  });

  it('reports a failed tool, and continues', async () => {
    const { loop } = await open('a', { script: [[callTool('weather', { place: 'nowhere' })], 'Sorry.'] });
    const { parts } = await collect(loop.stream(request));
    expect(parts[1]).toEqual({
      type: 'tool_failed',
      toolCallId: 'call-1',
      toolName: 'weather',
      error: 'There is no such place.',
    });
    expect(textOf(parts)).toBe('<tool_call><tool_failed>Sorry.<result>');
  });

  it('yields the substitute for a missing answer', async () => {
    const silent = await open('a', { script: [''] });
    expect(textOf((await collect(silent.loop.stream(request))).parts)).toBe('I have no answer to that.<result>');
    const endless = await open('b', { script: [[callTool('weather', { place: 'x' })]], maxSteps: 1 });
    expect(textOf((await collect(endless.loop.stream(request))).parts)).toMatch(
      /^<tool_call><tool_result>I stopped after 1 steps .*<result>$/,
    );
  });
});

describe('a streamed run and a run that is awaited', () => {
  type Case = [string, TestAgentOptions, Partial<AgentRunRequest>, (() => void)?];
  const cases: Case[] = [
    ['an answer', { script: ['Sunny.'] }, {}],
    ['tools and a skill', { script: toolScript }, { skills: ['brief'] }],
    [
      'reasoning',
      {
        script: [
          [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'text', text: 'Sunny.' },
          ],
        ],
      },
      {},
    ],
    ['a failed tool', { script: [[callTool('weather', { place: 'nowhere' })], 'Sorry.'] }, {}],
    ['an unknown tool', { script: [[callTool('fly', {})], 'Sorry.'] }, {}],
    ['the tool limit', { script: [[callTool('weather', { place: 'x' })]], maxSteps: 2 }, {}],
    ['no answer', { script: [''] }, {}],
    ['a model that fails', { script: [new Error('model down')] }, {}],
    ['a model that fails later', { script: [toolScript[0] as never, new Error('model down')] }, {}],
    ['a gateway that fails', {}, {}, () => server.behave('search', 'die')],
    ['an add that fails', {}, {}, () => server.behave('add', { status: 500, body: '' })],
    ['a flush that fails', {}, {}, () => server.behave('flush', { status: 500, body: '' })],
    ['a signal that was aborted before', {}, { signal: AbortSignal.abort(new Error('never mind')) }],
    ['a blank prompt', {}, { prompt: ' ' }],
    ['an invalid session', {}, { sessionId: '../x' }],
    ['an unknown skill', {}, { skills: ['coffee'] }],
  ];

  /** Runs twice in a session, so that the second run has a history. */
  async function outcomeOf(way: 'run' | 'stream', [, options, changes, prepare]: Case) {
    server.reset();
    server.find([{ text: 'Ann lives in Kyoto.' }]);
    const { loop, model, events } = await open(way, { script: ['Hello.'], ...options });
    prepare?.();
    const results: unknown[] = [];
    for (const each of [
      { ...request, ...changes },
      { ...request, prompt: 'And now?' },
    ]) {
      const outcome = way === 'run' ? loop.run(each) : loop.stream(each).result;
      results.push(await outcome.catch((error) => `${error.name}: ${error.message}`));
    }
    return {
      results,
      events: events().map(({ id: _, run_id, at, ...event }) => event),
      requests: server.requests.map(({ path, body }) => ({ path, body })),
      shown: model.calls.map((_, call) => model.shown(call)),
    };
  }

  it.each(cases)('have the same results, events, requests and messages with %s', async (...each) => {
    const awaited = await outcomeOf('run', each as Case);
    expect(await outcomeOf('stream', each as Case)).toEqual(awaited);
  });
});

describe('a streamed run that ends early', () => {
  /** Never finishes its answer. */
  function endlessModel(onAbort: () => void = () => {}) {
    return new MockLanguageModelV3({
      doStream: async ({ abortSignal }) => ({
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: 'stream-start', warnings: [] });
            controller.enqueue({ type: 'text-start', id: '0' });
            controller.enqueue({ type: 'text-delta', id: '0', delta: 'Well, ' });
            abortSignal?.addEventListener('abort', () => {
              onAbort();
              controller.error(abortSignal.reason);
            });
          },
        }),
      }),
    });
  }

  function openEndless(onAbort?: () => void) {
    const memory = { ...noMemory, persistAfterRun: vi.fn() };
    const sessions = new FileSessionStore(directory());
    const types = async () => (await sessions.read('s1')).map(({ type }) => type);
    return { loop: new AgentLoop({ model: endlessModel(onAbort), memory, sessions }), memory, types };
  }

  it('by its signal: fails with the reason, is recorded and not remembered', async () => {
    const { loop, memory, types } = openEndless();
    const caller = new AbortController();
    const stream = loop.stream({ ...request, signal: caller.signal });
    const parts: AgentRunPart[] = [];
    const reading = (async () => {
      for await (const part of stream) {
        parts.push(part);
        caller.abort(new Error('never mind'));
      }
    })();
    await expect(reading).rejects.toThrow('never mind');
    await expect(stream.result).rejects.toThrow('never mind');
    expect(parts).toEqual([{ type: 'text', text: 'Well, ' }]);
    expect(await types()).toEqual(['message', 'run_failed']);
    expect(memory.persistAfterRun).not.toHaveBeenCalled();
  });

  it('by leaving the loop: is cancelled before the loop is left, and its session can go on', async () => {
    const onAbort = vi.fn();
    const { loop, memory, types } = openEndless(onAbort);
    const stream = loop.stream(request);
    for await (const part of stream) {
      expect(part).toEqual({ type: 'text', text: 'Well, ' });
      break;
    }
    expect(onAbort).toHaveBeenCalledOnce();
    expect(await types()).toEqual(['message', 'run_failed']);
    await expect(stream.result).rejects.toMatchObject({ name: 'AbortError' });
    expect(memory.persistAfterRun).not.toHaveBeenCalled();
    for await (const _ of loop.stream(request)) break;
    expect(await types()).toEqual(['message', 'run_failed', 'message', 'run_failed']);
  });

  it('by an error: yields what came before it, and an unread result does no harm', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    try {
      const { loop } = await open('a', { script: [toolScript[0] as never, new Error(`down ${userKey}`)] });
      const { parts, error } = await collect(loop.stream(request));
      expect(textOf(parts)).toBe('Let me look.<tool_call><tool_result>');
      expect(error).toMatchObject({ message: `down ${userKey}` });
      loop.stream({ ...request, prompt: ' ' });
      for (const text of ['memory_gateway_recall_succeeded', 'tool-result', 'run_completed']) {
        const full = await open(text, { script: toolScript, sessions: new FullDisk(directory(), text) });
        expect((await collect(full.loop.stream(request))).error).toEqual(new Error('disk full'));
      }
      await setImmediate();
      expect(unhandled).not.toHaveBeenCalled();
      expect(logged).not.toHaveBeenCalled();
    } finally {
      process.off('unhandledRejection', unhandled);
      logged.mockRestore();
    }
  });

  it('waits for its turn in the session', async () => {
    const { loop, model } = await open('a', { script: ['a1', 'a2'] });
    const first = loop.stream({ prompt: 'q1', sessionId: 's1' });
    const second = loop.stream({ prompt: 'q2', sessionId: 's1' });
    await second.result;
    expect(textOf((await collect(first)).parts)).toBe('a1<result>');
    expect(model.shown(1).slice(1)).toEqual(['user: q1', 'assistant: a1', 'user: q2']);
  });
});

describe('secrets in a streamed run', () => {
  it('are redacted, even if they arrive in pieces, and other text is not delayed', async () => {
    const script = [
      [
        { type: 'text', text: `Is ${userKey} your key? 日本語の文章` } as const,
        callTool('weather', { place: userKey }),
      ],
      `No: ${userKey.slice(0, 10)}`,
    ];
    const { loop } = await open('a', { script });
    const { parts } = await collect(loop.stream(request));
    expect(JSON.stringify(parts)).not.toContain(userKey);
    expect(textOf(parts)).toBe(
      `Is [REDACTED:USER_KEY] your key? 日本語の文章<tool_call><tool_result>No: ${userKey.slice(0, 10)}<result>`,
    );
    expect(parts.filter(({ type }) => type === 'text').length).toBeGreaterThan(5);
    expect(parts.find(({ type }) => type === 'tool_call')).toMatchObject({ input: { place: '[REDACTED:USER_KEY]' } });
  });

  it('are held back word by word if only `redact` is given', async () => {
    const secret = new SecretText('hunter2hunter2');
    const { model } = new ScriptedModel(['The password is hunter2hunter2, really.']);
    const redact = <T>(value: T) => secret.redactFrom(value);
    const loop = new AgentLoop({ model, memory: noMemory, sessions: new FileSessionStore(directory()), redact });
    const { parts } = await collect(loop.stream(request));
    expect(textOf(parts)).toBe('The password is [REDACTED:USER_KEY], really.<result>');
  });
});
