import assert from 'node:assert/strict';
import { agent } from '@llamaindex/workflow';
import { memorySearch, openMemory, recallBlock, serverMemory } from '@memhall/agent/llamaindex';
import { createMemory, ToolCallLLM, tool } from 'llamaindex';
import { ann, bob, clientOf, memoryOf, recalledTexts, url } from './servers.mjs';

/** Answers with the messages of a script, one call after the other. */
class ScriptedModel extends ToolCallLLM {
  supportToolCall = true;
  metadata = {
    model: 'scripted',
    temperature: 0,
    topP: 1,
    contextWindow: 100_000,
    tokenizer: undefined,
    structuredOutput: false,
  };
  prompts = [];
  constructor(...script) {
    super();
    this.script = script;
  }
  async chat({ messages, stream }) {
    this.prompts.push(structuredClone(messages.map(({ role, content, options }) => ({ role, content, options }))));
    const message = this.script[this.prompts.length - 1] ?? says('Done.');
    if (!stream) return { message, raw: null };
    return (async function* () {
      yield { delta: message.content, options: message.options ?? {}, raw: null };
    })();
  }
}
const says = (content) => ({ role: 'assistant', content });
const calls = (name, input) => ({
  role: 'assistant',
  content: '',
  options: { toolCall: [{ id: crypto.randomUUID(), name, input }] },
});
const open = (token, sessionId, options = {}) =>
  openMemory(createMemory(options), { client: clientOf(token), sessionId });

// A memory that another process fills again, with tool calls and parts.
const first = await open(ann, 'talk');
const said = [
  { role: 'user', content: 'I keep my kayak in Bergen.' },
  { role: 'assistant', content: '', options: { toolCall: [{ id: 'c1', name: 'weather', input: { city: 'Bergen' } }] } },
  { role: 'user', content: 'sunny', options: { toolResult: { id: 'c1', result: 'sunny', isError: false } } },
  { role: 'assistant', content: [{ type: 'text', text: 'It is sunny there.' }] },
];
for (const message of said) await first.add(message);
const shapes = (messages) => messages.map(({ role, content, options }) => ({ role, content, options }));
assert.deepEqual(shapes(await (await open(ann, 'talk')).get()), shapes(await first.get()));
assert.equal((await (await open(ann, 'talk')).get()).length, 4);
assert.deepEqual(await (await open(bob, 'talk')).get(), []);
assert.ok((await recalledTexts(ann, 'Where is my kayak?')).some((text) => text.includes('I keep my kayak in Bergen')));

// An agent recalls once, and searches for the rest.
await memoryOf(ann).remember('My umbrella is behind the door.');
await memoryOf(ann).remember('I play the violin on Sundays.');
const memory = serverMemory({ url, token: ann, remembersTurns: false });
const events = [];
const llm = new ScriptedModel(
  says('Behind the door.'),
  calls('search_memory', { query: 'When do I play the violin?' }),
  says('On Sundays.'),
);
const block = recallBlock({ memory, sessionId: 'umbrella', audit: ({ type }) => void events.push(type) });
const chat = await open(ann, 'umbrella', { memoryBlocks: [block] });
const guide = agent({ llm, tools: [tool(memorySearch({ memory }))], memory: chat, systemPrompt: 'Be kind.' });
assert.match(String((await guide.run('Where is my umbrella?')).data.result), /Behind the door/);
assert.match(String((await guide.run('And the violin?')).data.result), /On Sundays/);
const shown = llm.prompts.map((prompt) => JSON.stringify(prompt));
assert.match(shown[0], /untrusted reference data.*recalled_memory.*behind the door/);
assert.match(shown[1], /recalled_memory.*behind the door.*And the violin\?/);
assert.match(shown[2], /violin on Sundays/);
assert.deepEqual(events, ['memory_recall_succeeded']);
await chat.stored();
const kept = await (await open(ann, 'umbrella')).get();
assert.deepEqual(shapes(kept.slice(0, 2)), [
  { role: 'user', content: 'Where is my umbrella?', options: undefined },
  { role: 'assistant', content: 'Behind the door.', options: undefined },
]);
assert.match(shown[1], /Where is my umbrella.*And the violin/);
assert.ok(kept.some(({ content }) => JSON.stringify(content).includes('And the violin?')));
assert.ok(!JSON.stringify(kept.slice(0, 2)).includes('recalled_memory'));

// A failure to store is reported where somebody waits for it.
const broken = await openMemory(createMemory(), {
  client: {
    ...clientOf(ann),
    allInteractions: clientOf(ann).allInteractions.bind(clientOf(ann)),
    logInteraction: async () => {
      throw new Error('down');
    },
  },
  sessionId: 'broken',
});
await broken.add({ role: 'user', content: 'Hello.' });
await assert.rejects(broken.stored(), /down/);
await broken.stored();

await chat.clear();
assert.deepEqual(await (await open(ann, 'umbrella')).get(), []);
