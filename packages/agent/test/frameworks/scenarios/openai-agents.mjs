import assert from 'node:assert/strict';
import { MemhallSession, memorySearch, recallFilter, serverMemory } from '@memhall/agent/openai-agents';
import { Agent, MemorySession, Runner, setTracingDisabled, tool, Usage } from '@openai/agents';
import { ann, bob, clientOf, memoryOf, recalledTexts, service, url } from './servers.mjs';

setTracingDisabled(true);

/** Answers with the items of a script, one request after the other. */
class ScriptedModel {
  requests = [];
  constructor(...script) {
    this.script = script;
  }
  async getResponse(request) {
    this.requests.push(structuredClone({ input: request.input, instructions: request.systemInstructions }));
    return { usage: new Usage(), output: [this.script[this.requests.length - 1] ?? says('Done.')] };
  }
  getStreamedResponse() {
    throw new Error('This model does not stream.');
  }
}
const says = (text) => ({
  ...{ type: 'message', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text }],
});
const calls = (name, input, callId) => ({
  ...{ type: 'function_call', callId, name, status: 'completed' },
  arguments: JSON.stringify(input),
});
const runner = new Runner({ tracingDisabled: true });
const sessionOf = (token, sessionId, more = {}) => new MemhallSession({ client: clientOf(token), sessionId, ...more });
const shapes = (items) => items.map(({ type, role, content, name, output }) => ({ type, role, content, name, output }));

// A conversation with tools is the same in the SDK's own session and in ours, which another process reads.
const histories = [];
for (const session of [new MemorySession(), sessionOf(ann, 'talk')]) {
  const weather = tool({
    ...{ name: 'weather', description: 'Says the weather.', strict: false },
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
    execute: async () => 'sunny in Bergen',
  });
  const model = new ScriptedModel(
    calls('weather', { city: 'Bergen' }, 'c1'),
    says('It is sunny.'),
    says('You said Bergen.'),
  );
  const agent = new Agent({ name: 'Guide', instructions: 'Be kind.', model, tools: [weather] });
  const first = await runner.run(agent, 'How is the weather in Bergen? I keep my kayak there.', { session });
  assert.equal(first.finalOutput, 'It is sunny.');
  await runner.run(agent, 'Which town?', { session });
  assert.equal(model.requests.at(-1).input.length, 5);
  histories.push(await session.getItems());
}
const again = await sessionOf(ann, 'talk').getItems();
assert.deepEqual(shapes(again), shapes(histories[0]));
assert.deepEqual(again, JSON.parse(JSON.stringify(histories[1])));
assert.deepEqual(shapes(await sessionOf(ann, 'talk').getItems(2)), shapes(histories[0].slice(-2)));
assert.deepEqual(await sessionOf(ann, 'talk').getItems(0), []);
assert.equal(await sessionOf(ann, 'talk').getSessionId(), 'talk');

// What was said is recalled, by this user only.
assert.ok((await recalledTexts(ann, 'Where is my kayak?')).some((text) => text.includes('I keep my kayak there')));
assert.deepEqual(await recalledTexts(bob, 'Where is my kayak?'), []);
assert.deepEqual(await sessionOf(bob, 'talk').getItems(), []);
assert.deepEqual(await sessionOf(ann, 'talk', { agentId: 'other' }).getItems(), []);

// Items of any kind and size come back as they were.
const large = sessionOf(ann, 'large');
const items = [
  {
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'Look!' },
      { type: 'input_image', image: `data:image/png;base64,${'A'.repeat(400_000)}` },
    ],
  },
  { type: 'reasoning', content: [], rawContent: [{ type: 'reasoning_text', text: 'Hm.' }] },
  { type: 'message', role: 'user', content: 'x'.repeat(150_000) },
  { role: 'user', content: 'e\u0301 and \u0000' },
  ...Array.from({ length: 520 }, (_, n) => ({ role: 'user', content: `Number ${n}` })),
];
await large.addItems(items);
assert.deepEqual(await sessionOf(ann, 'large').getItems(), items);
await large.addItems([]);

// The last item is removed, also when several ask at once.
const popped = await Promise.all([large.popItem(), large.popItem(), large.popItem()]);
assert.deepEqual(popped.map(({ content }) => content).sort(), ['Number 517', 'Number 518', 'Number 519']);
assert.equal((await large.getItems()).length, items.length - 3);
await large.clearSession();
assert.deepEqual(await large.getItems(), []);
assert.equal(await large.popItem(), undefined);
assert.equal((await clientOf(ann).listPlanState('openai-session:openai-agents')).count, 0);

// A service keeps conversations of several users.
await sessionOf(service, 'hers', { userId: 'cat' }).addItems([{ role: 'user', content: 'I am Cat.' }]);
assert.equal((await sessionOf(service, 'hers', { userId: 'cat' }).getItems()).length, 1);
assert.equal((await sessionOf(service, 'hers', { userId: 'dan' }).getItems()).length, 0);

// A session off the record is kept in the process only.
await memoryOf(ann).goOffTheRecord('private');
const secret = sessionOf(ann, 'private');
await runner.run(new Agent({ name: 'Guide', model: new ScriptedModel() }), 'My safe is behind the oak.', {
  session: secret,
});
assert.equal((await secret.getItems()).length, 2);
assert.deepEqual(await sessionOf(ann, 'private').getItems(), []);
assert.equal((await secret.popItem()).role, 'assistant');
assert.deepEqual(await recalledTexts(ann, 'Where is the safe?'), []);

// Recall happens once in a conversation, is not stored in it, and the model searches for the rest.
await memoryOf(ann).remember('My umbrella is behind the door.');
await memoryOf(ann).remember('I play the violin on Sundays.');
const memory = serverMemory({ url, token: ann, remembersTurns: false });
const events = [];
const recall = recallFilter({ memory, sessionId: 'recalled', audit: ({ type }) => void events.push(type) });
const model = new ScriptedModel(
  says('Behind the door.'),
  calls('search_memory', { query: 'When do I play the violin?' }, 'c2'),
  says('On Sundays.'),
);
const agent = new Agent({ name: 'Guide', instructions: 'Be kind.', model, tools: [tool(memorySearch({ memory }))] });
const session = sessionOf(ann, 'recalled');
const options = { session, callModelInputFilter: recall };
await runner.run(agent, 'Where is my umbrella?', options);
assert.equal((await runner.run(agent, 'And the violin?', options)).finalOutput, 'On Sundays.');
const [one, two, three] = model.requests;
assert.match(one.input[0].content, /<recalled_memory>.*behind the door/s);
assert.match(one.instructions, /^Be kind\..*untrusted reference data.*search_memory/s);
assert.deepEqual([two.input[0], three.input[0]], [one.input[0], one.input[0]]);
assert.match(JSON.stringify(three.input.at(-1).output), /violin on Sundays/);
assert.deepEqual(events, ['memory_recall_succeeded']);
const stored = await sessionOf(ann, 'recalled').getItems();
assert.deepEqual(
  stored.map(({ type, role }) => role ?? type),
  ['user', 'assistant', 'user', 'function_call', 'function_call_result', 'assistant'],
);
assert.ok(!JSON.stringify(stored.slice(0, 3)).includes('recalled_memory'));

// With every_prompt, each prompt is searched for, but not each call of the tool loop.
const perPrompt = [];
const each = recallFilter({
  memory,
  sessionId: 'each',
  recall: 'every_prompt',
  audit: ({ type }) => void perPrompt.push(type),
});
const callsTool = new ScriptedModel(says('Yes.'), calls('search_memory', { query: 'tea' }, 'c3'), says('No.'));
const asking = new Agent({ name: 'Guide', model: callsTool, tools: [tool(memorySearch({ memory }))] });
const eachSession = sessionOf(ann, 'each');
for (const prompt of ['Where is my umbrella?', 'When do I play the violin?'])
  await runner.run(asking, prompt, { session: eachSession, callModelInputFilter: each });
assert.equal(perPrompt.length, 2);
