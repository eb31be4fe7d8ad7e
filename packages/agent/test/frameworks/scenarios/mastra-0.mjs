import assert from 'node:assert/strict';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';
import { MemhallMastraStorage, memorySearch, recallContext, serverMemory } from '@memhall/agent/mastra-0';
import { calls, ScriptedModel, says } from './scripted-model.mjs';
import { ann, bob, memoryOf, recalledTexts, service, url } from './servers.mjs';

const storageOf = (token, more = {}) => new MemhallMastraStorage({ url, token, ...more });
const at = (n) => new Date(Date.UTC(2026, 0, 1, 0, 0, n));
const message = (n, threadId, text, more = {}) => ({
  ...{ id: `m${n}`, role: 'user', createdAt: at(n), threadId, resourceId: 'r1', type: 'text' },
  content: { format: 2, parts: [{ type: 'text', text }] },
  ...more,
});
const thread = (n, more = {}) => ({
  id: `t${n}`,
  resourceId: 'r1',
  title: `T${n}`,
  createdAt: at(n),
  updatedAt: at(n),
  metadata: {},
  ...more,
});

// The same calls give the same results as Mastra's own store.
const results = [];
for (const store of [new InMemoryStore(), storageOf(ann)]) {
  const seen = [];
  const see = (value) =>
    seen.push(JSON.parse(JSON.stringify(value, (name, one) => (name === 'updatedAt' ? undefined : one))));
  for (const n of [1, 2]) await store.saveThread({ thread: thread(n) });
  await store.saveThread({ thread: thread(3, { resourceId: 'r2' }) });
  see(await store.getThreadById({ threadId: 't1' }));
  see(await store.getThreadById({ threadId: 'none' }));
  await store.updateThread({ id: 't2', title: 'Two', metadata: { more: true } });
  see(await store.getThreadsByResourceId({ resourceId: 'r1', orderBy: 'createdAt', sortDirection: 'ASC' }));
  see((await store.getThreadsByResourceIdPaginated({ resourceId: 'r1', page: 0, perPage: 1 })).threads);
  await store.saveMessages({
    messages: Array.from({ length: 50 }, (_, n) => message(n, 't1', `Number ${n}`)),
    format: 'v2',
  });
  await store.saveMessages({ messages: [message(60, 't2', 'Elsewhere')], format: 'v2' });
  const ids = (messages) => messages.map(({ id }) => id);
  for (const selectBy of [
    { last: 3 },
    { last: 1 },
    { include: [{ id: 'm6', threadId: 't1', withPreviousMessages: 1, withNextMessages: 2 }] },
  ]) {
    see(ids(await store.getMessages({ threadId: 't1', format: 'v2', selectBy })));
  }
  see(await store.getMessages({ threadId: 't2', format: 'v2', selectBy: { last: 5 } }));
  see(ids(await store.getMessagesById({ messageIds: ['m5', 'none'], format: 'v2' })));
  const updated = await store.updateMessages({ messages: [{ id: 'm5', content: { metadata: { stars: 5 } } }] });
  see(updated.map(({ content }) => content.metadata));
  await store.saveResource({
    resource: { id: 'r1', workingMemory: '# Ann', metadata: { a: 1 }, createdAt: at(1), updatedAt: at(1) },
  });
  await store.updateResource({ resourceId: 'r1', metadata: { b: 2 } });
  see(await store.getResourceById({ resourceId: 'r1' }));
  see(await store.getResourceById({ resourceId: 'none' }));
  await store.deleteThread({ threadId: 't1' });
  see(await store.getThreadById({ threadId: 't1' }));
  see(await store.getMessages({ threadId: 't1', format: 'v2' }));
  results.push(seen);
}
for (const [n, expected] of results[0].entries()) assert.deepEqual(results[1][n], expected, `result ${n}`);

// Messages of the older format, too; pages; deletion.
const store = storageOf(ann);
await store.saveMessages({
  messages: [
    { id: 'old', role: 'user', type: 'text', content: 'Hello.', createdAt: at(1), threadId: 't2', resourceId: 'r1' },
  ],
});
assert.equal((await store.getMessages({ threadId: 't2' }))[0].content, 'Hello.');
const page = await store.getMessagesPaginated({
  threadId: 't2',
  format: 'v2',
  selectBy: { pagination: { page: 0, perPage: 1 } },
});
assert.deepEqual([page.total, page.hasMore, page.messages.length], [2, true, 1]);
await store.deleteMessages(['old']);
assert.equal((await store.getMessages({ threadId: 't2' })).length, 1);

// Nobody else sees anything.
assert.equal(await storageOf(bob).getThreadById({ threadId: 't2' }), null);
assert.deepEqual(await storageOf(bob).getMessages({ threadId: 't2', format: 'v2' }), []);
await storageOf(service, { userId: 'cat' }).saveThread({ thread: thread(9) });
assert.equal(await storageOf(service, { userId: 'dan' }).getThreadById({ threadId: 't9' }), null);

// An agent keeps its threads there, recalls once, and searches for the rest.
await memoryOf(ann).remember('My umbrella is behind the door.');
await memoryOf(ann).remember('I play the violin on Sundays.');
const memory = serverMemory({ url, token: ann, remembersTurns: false });
const recall = recallContext({ memory });
const model = new ScriptedModel(
  says('Behind the door.'),
  calls('search_memory', { query: 'When do I play the violin?' }),
  says('On Sundays.'),
);
const ask = async (prompt) => {
  const agent = new Agent({
    ...{ id: 'guide', name: 'Guide', instructions: 'Be kind.', model },
    tools: { search_memory: memorySearch({ memory }) },
    memory: new Memory({ storage: storageOf(ann), options: { lastMessages: 20, threads: { generateTitle: false } } }),
  });
  const place = { memory: { thread: 'umbrella', resource: 'ann' } };
  return (await agent.generate(prompt, { ...(await recall('umbrella', prompt)), ...place })).text;
};
assert.equal(await ask('Where is my umbrella?'), 'Behind the door.');
assert.equal(await ask('And the violin?'), 'On Sundays.');
const shown = model.prompts.map((prompt) => JSON.stringify(prompt));
assert.match(shown[0], /recalled_memory.*behind the door/);
assert.match(shown[1], /Behind the door\..*And the violin\?/);
assert.match(shown[2], /I play the violin on Sundays/);
const kept = await storageOf(ann).getMessages({ threadId: 'umbrella', format: 'v2', selectBy: { last: false } });
assert.deepEqual(
  kept.map(({ role }) => role),
  ['user', 'assistant', 'user', 'assistant'],
);
assert.ok(!JSON.stringify(kept.slice(0, 2)).includes('recalled_memory'));
assert.ok((await recalledTexts(ann, 'violin')).some((text) => text.includes('And the violin?')));
