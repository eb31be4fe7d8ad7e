import assert from 'node:assert/strict';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore, MastraCompositeStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';
import { MemhallMastraMemory, memorySearch, recallContext, serverMemory } from '@memhall/agent/mastra';
import { calls, ScriptedModel, says } from './scripted-model.mjs';
import { ann, bob, memoryOf, recalledTexts, service, url } from './servers.mjs';

const storageOf = (token, more = {}) =>
  new MastraCompositeStore({ id: 'memhall', domains: { memory: new MemhallMastraMemory({ url, token, ...more }) } });
const domainOf = (token, more) => new MemhallMastraMemory({ url, token, ...more });
const at = (n) => new Date(Date.UTC(2026, 0, 1, 0, 0, n));
const message = (n, threadId, text, more = {}) => ({
  ...{ id: `m${n}`, role: 'user', createdAt: at(n), threadId, resourceId: 'r1', type: 'text' },
  content: { format: 2, parts: [{ type: 'text', text }] },
  ...more,
});

// The same calls give the same results as Mastra's own store.
const reference = await new InMemoryStore().getStore('memory');
const results = [];
for (const store of [reference, domainOf(ann)]) {
  const thread = (n, more = {}) => ({
    id: `t${n}`,
    resourceId: 'r1',
    title: `T${n}`,
    createdAt: at(n),
    updatedAt: at(n),
    ...more,
  });
  const seen = [];
  const see = (value) =>
    seen.push(
      JSON.parse(JSON.stringify(value, (name, one) => (name === 'updatedAt' || name === 'clonedAt' ? undefined : one))),
    );
  for (const n of [1, 2]) await store.saveThread({ thread: thread(n, { metadata: { n } }) });
  await store.saveThread({ thread: thread(3, { resourceId: 'r2' }) });
  see(await store.getThreadById({ threadId: 't1' }));
  see(await store.getThreadById({ threadId: 't1', resourceId: 'r2' }));
  see(await store.getThreadById({ threadId: 'none' }));
  await store.updateThread({ id: 't1', metadata: { more: true } });
  await store.updateThread({ id: 't2', title: 'Two', metadata: {} });
  see(await store.listThreads({ filter: { resourceId: 'r1' }, orderBy: { field: 'createdAt', direction: 'ASC' } }));
  see(await store.listThreads({ perPage: 2, page: 1 }));
  see(await store.listThreads({ filter: { metadata: { n: 2 } } }));
  see(await store.listThreads({ perPage: false }));
  const messages = Array.from({ length: 12 }, (_, n) => message(n, 't1', `Number ${n}`));
  await store.saveMessages({ messages });
  await store.saveMessages({ messages: [message(3, 't1', 'Number three')] });
  await store.saveMessages({
    messages: [message(20, 't2', 'Elsewhere'), message(21, 't2', 'There', { role: 'assistant' })],
  });
  see(await store.listMessages({ threadId: 't1' }));
  see(await store.listMessages({ threadId: 't1', perPage: 5, page: 1 }));
  see(await store.listMessages({ threadId: 't1', perPage: 3, orderBy: { field: 'createdAt', direction: 'DESC' } }));
  see(await store.listMessages({ threadId: 't1', perPage: 0 }));
  see(await store.listMessages({ threadId: ['t1', 't2'], perPage: false }));
  see(await store.listMessages({ threadId: 't1', resourceId: 'r2' }));
  see(
    await store.listMessages({
      threadId: 't1',
      perPage: 1,
      include: [{ id: 'm6', withPreviousMessages: 1, withNextMessages: 2 }],
    }),
  );
  see(
    (
      await store.listMessages({
        threadId: 't1',
        perPage: 0,
        include: [{ id: 'm20', threadId: 't2', withNextMessages: 1 }],
      })
    ).messages,
  );
  see(await store.listMessages({ threadId: 't1', filter: { dateRange: { start: at(2), end: at(4) } } }));
  see(
    await store.listMessages({
      threadId: 't1',
      filter: { dateRange: { start: at(2), startExclusive: true, end: at(4), endExclusive: true } },
    }),
  );
  see((await store.listMessagesByResourceId({ resourceId: 'r1', perPage: false })).messages.length);
  see((await store.listMessagesById({ messageIds: ['m5', 'none', 'm20'] })).messages.map(({ id }) => id));
  await store.updateMessages({
    messages: [
      { id: 'm5', content: { metadata: { stars: 5 } } },
      { id: 'none', role: 'user' },
    ],
  });
  await store.updateMessages({ messages: [{ id: 'm5', content: { metadata: { seen: true } } }] });
  see(await store.listMessages({ threadId: 't1', filter: { metadata: { stars: 5 } } }));
  await store.updateMessages({ messages: [{ id: 'm20', threadId: 't1' }] });
  see((await store.listMessages({ threadId: 't1', perPage: false })).messages.map(({ id }) => id));
  see((await store.listMessages({ threadId: 't2' })).messages.map(({ id }) => id));
  await store.deleteMessages(['m0', 'm1', 'none']);
  see((await store.listMessages({ threadId: 't1', perPage: 2 })).messages);
  const copied = await store.copyThread({ sourceThreadId: 't1', newThreadId: 't4', options: { messageLimit: 2 } });
  see({
    ...copied.thread,
    createdAt: undefined,
    copied: Object.keys(copied.messageIdMap),
    metadata: { ...copied.thread.metadata.clone, clonedAt: undefined },
  });
  see((await store.listMessages({ threadId: 't4' })).messages.map(({ content }) => content));
  await store.saveResource({
    resource: { id: 'r1', workingMemory: '# Ann', metadata: { a: 1 }, createdAt: at(1), updatedAt: at(1) },
  });
  await store.updateResource({ resourceId: 'r1', metadata: { b: 2 } });
  await store.updateResource({ resourceId: 'r9', workingMemory: 'new' });
  see(await store.getResourceById({ resourceId: 'r1' }));
  see((await store.getResourceById({ resourceId: 'r9' })).workingMemory);
  see(await store.getResourceById({ resourceId: 'none' }));
  await store.deleteThread({ threadId: 't1' });
  see((await store.listMessages({ threadId: 't1' })).messages);
  see(await store.getThreadById({ threadId: 't1' }));
  await assert.rejects(store.updateThread({ id: 't1', title: 'x', metadata: {} }));
  results.push(seen);
}
for (const [n, expected] of results[0].entries()) assert.deepEqual(results[1][n], expected, `result ${n}`);

// Nobody else sees anything, and other names neither.
for (const other of [domainOf(bob), domainOf(ann, { name: 'other' })]) {
  assert.equal((await other.listThreads({})).total, 0);
  assert.equal((await other.listMessages({ threadId: 't2' })).total, 0);
  assert.deepEqual((await other.listMessagesById({ messageIds: ['m21'] })).messages, []);
}

// Messages of any kind and size, and threads with any id.
const odd = 'a thread / with é and 𝄞';
await domainOf(ann).saveThread({ thread: { id: odd, resourceId: 'r1', createdAt: at(1), updatedAt: at(1) } });
const large = message(30, odd, 'Look!', {
  content: {
    format: 2,
    parts: [
      { type: 'text', text: 'Look!' },
      { type: 'file', mimeType: 'image/png', data: 'A'.repeat(400_000) },
    ],
  },
});
await domainOf(ann).saveMessages({ messages: [large, message(31, odd, 'e\u0301 \u0000')] });
assert.deepEqual((await domainOf(ann).listMessages({ threadId: odd })).messages, [
  large,
  message(31, odd, 'e\u0301 \u0000'),
]);

// An agent keeps its threads there, recalls once, and searches for the rest. Another process goes on with the thread.
await memoryOf(ann).remember('My umbrella is behind the door.');
await memoryOf(ann).remember('I play the violin on Sundays.');
const memory = serverMemory({ url, token: ann, remembersTurns: false });
const events = [];
const recall = recallContext({ memory, audit: ({ type }) => void events.push(type) });
const model = new ScriptedModel(
  says('Behind the door.'),
  calls('search_memory', { query: 'When do I play the violin?' }),
  says('On Sundays.'),
  says('Yes.'),
);
const ask = async (prompt) => {
  const agent = new Agent({
    ...{ id: 'guide', name: 'Guide', instructions: 'Be kind.', model },
    tools: { search_memory: memorySearch({ memory }) },
    memory: new Memory({ storage: storageOf(ann), options: { lastMessages: 20 } }),
  });
  const place = { memory: { thread: 'umbrella', resource: 'ann' } };
  return (await agent.generate(prompt, { ...(await recall('umbrella', prompt)), ...place })).text;
};
assert.equal(await ask('Where is my umbrella?'), 'Behind the door.');
assert.equal(await ask('And the violin?'), 'On Sundays.');
const shown = model.prompts.map((prompt) => JSON.stringify(prompt));
assert.match(shown[0], /recalled_memory.*behind the door/);
assert.match(shown[0], /untrusted reference data/);
assert.match(shown[1], /Behind the door\..*And the violin\?/);
assert.match(shown[2], /I play the violin on Sundays/);
assert.deepEqual(events, ['memory_recall_succeeded']);
const { messages: kept } = await domainOf(ann).listMessages({ threadId: 'umbrella', perPage: false });
assert.deepEqual(
  kept.map(({ role }) => role),
  ['user', 'assistant', 'user', 'assistant'],
);
assert.ok(!JSON.stringify(kept.slice(0, 2)).includes('recalled_memory'));
assert.ok((await recalledTexts(ann, 'violin')).some((text) => text.includes('And the violin?')));

// A service keeps threads of several users; a thread off the record stays in the process.
await domainOf(service, { userId: 'cat' }).saveThread({
  thread: { id: 'hers', resourceId: 'cat', createdAt: at(1), updatedAt: at(1) },
});
assert.equal((await domainOf(service, { userId: 'dan' }).listThreads({})).total, 0);
await memoryOf(ann).goOffTheRecord('private');
const secret = domainOf(ann);
await secret.saveMessages({ messages: [message(40, 'private', 'My safe is behind the oak.')] });
assert.equal((await secret.listMessages({ threadId: 'private' })).total, 1);
assert.equal((await domainOf(ann).listMessages({ threadId: 'private' })).total, 0);
assert.deepEqual(await recalledTexts(ann, 'Where is the safe?'), []);
