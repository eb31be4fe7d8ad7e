// Runs the agent on any version of the AI SDK that it supports. Prints JSON.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CuratedMemory,
  CuratedMemoryBackend,
  createMemoryMiddleware,
  createProviderTools,
  LocalProvider,
  loadAgent,
  type MemoryBackend,
  memorySearch,
} from '@memhall/agent';
import { generateText, type LanguageModel, simulateReadableStream, streamText, wrapLanguageModel } from 'ai';
import * as models from 'ai/test';

type Wrapped = Parameters<typeof wrapLanguageModel>[0]['model'];
type Part = { type: 'text'; text: string } | { type: 'tool-call'; toolCallId: string; toolName: string; input: string };

/** Each version has models of its own, and older ones another form of usage and reasons. */
const versions = models as unknown as Record<string, new (model: object) => Wrapped & LanguageModel>;
const Model = versions.MockLanguageModelV4 ?? versions.MockLanguageModelV3 ?? versions.MockLanguageModelV2;
const isOld = versions.MockLanguageModelV3 === undefined;
const usage = isOld
  ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
  : {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };

function scripted(...answers: Part[]): Wrapped & LanguageModel {
  if (Model === undefined) throw new Error('the AI SDK has no model for tests');
  let position = 0;
  const next = () => {
    const part = answers[Math.min(position++, answers.length - 1)] as Part;
    const reason = part.type === 'text' ? 'stop' : 'tool-calls';
    return { part, finishReason: isOld ? reason : { unified: reason, raw: reason } };
  };
  return new Model({
    async doGenerate() {
      const { part, finishReason } = next();
      return { content: [part], finishReason, usage, warnings: [] };
    },
    async doStream() {
      const { part, finishReason } = next();
      const parts =
        part.type === 'text'
          ? [
              { type: 'text-start', id: '0' },
              { type: 'text-delta', id: '0', delta: part.text },
              { type: 'text-end', id: '0' },
            ]
          : [part];
      const chunks = [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage }];
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
}

const directory = mkdtempSync(join(tmpdir(), 'ai-sdk-'));
const said = (text: string): Part => ({ type: 'text', text });
const search: Part = { type: 'tool-call', toolCallId: '1', toolName: 'session_search', input: '{"query":"umbrella"}' };

const { loop } = await loadAgent({ directory, model: scripted(search, said('Behind the door.')) });
const run = await loop.run({ prompt: 'Where is my umbrella?' });
const parts: string[] = [];
for await (const part of loop.stream({ prompt: 'And my hat?', sessionId: run.sessionId })) parts.push(part.type);

const remembered: string[] = [];
const curated = new CuratedMemoryBackend(new CuratedMemory(directory));
const memory: MemoryBackend = {
  recallBeforeRun: (request) => curated.recallBeforeRun(request),
  async persistAfterRun({ user, assistant }) {
    remembered.push(`${user.content} ${assistant.content}`);
    return curated.persistAfterRun();
  },
};
const model = wrapLanguageModel({
  model: scripted(said('Tea.')),
  middleware: createMemoryMiddleware({ memory, sessionId: 's1' }),
});
const { text } = await generateText({ model, prompt: 'What do I drink?' });
const streamed = await streamText({ model, prompt: 'And in the evening?' }).text;

const owner = { workspaceId: 'w1', agentId: 'a1' };
const tools = createProviderTools(new LocalProvider({ ...owner, root: join(directory, 'notes') }), owner, {
  separator: '_',
});
const note: Part = {
  type: 'tool-call',
  toolCallId: '2',
  toolName: 'memory_write',
  input: '{"tier":"AGENT","content":"Answers briefly.","mode":"append"}',
};
const noted = await generateText({ model: scripted(note), tools, prompt: 'Be brief.' });

const found: MemoryBackend = {
  recallBeforeRun: async ({ prompt }) => ({ rules: [], references: [{ text: `Found for ${prompt}.` }] }),
  async persistAfterRun() {},
};
const ask: Part = { type: 'tool-call', toolCallId: '3', toolName: 'search_memory', input: '{"query":"tea"}' };
const searched = await generateText({
  model: scripted(ask),
  tools: { search_memory: memorySearch({ memory: found }) },
  prompt: 'Tea?',
});

process.stdout.write(
  JSON.stringify({
    run: run.text,
    steps: run.steps,
    parts,
    text,
    streamed,
    remembered,
    searched: searched.toolResults.map(({ output }) => output),
    noted: noted.toolResults.map(({ output }) => output),
  }),
);
