import assert from 'node:assert/strict';
import { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { MemhallSaver, MemhallStore } from '@memhall/agent/langgraph';
import { ann, bob, clientOf } from './servers.mjs';

const State = Annotation.Root({
  said: Annotation({ reducer: (before, more) => [...before, ...more], default: () => [] }),
});
const graphOf = (options) =>
  new StateGraph(State)
    .addNode('ask', () => ({ said: [`heard ${interrupt('Shall I go on?')}`] }))
    .addNode('end', () => ({ said: ['done'] }))
    .addEdge(START, 'ask')
    .addEdge('ask', 'end')
    .addEdge('end', END)
    .compile(options);
const saverOf = (token) => new MemhallSaver({ client: clientOf(token) });

// The history of a thread is that of LangGraph's own saver, also if another process resumes it.
const histories = [];
const own = new MemorySaver();
for (const saver of [() => own, () => saverOf(ann)]) {
  const config = { configurable: { thread_id: 'talk' } };
  await graphOf({ checkpointer: saver() }).invoke({ said: ['hello'] }, config);
  assert.deepEqual((await graphOf({ checkpointer: saver() }).getState(config)).next, ['ask']);
  await graphOf({ checkpointer: saver() }).invoke(new Command({ resume: 'yes' }), config);
  const history = [];
  for await (const { values, next, metadata } of graphOf({ checkpointer: saver() }).getStateHistory(config)) {
    history.push({ values, next, source: metadata?.source, step: metadata?.step });
  }
  histories.push(history);
}
assert.deepEqual(histories[1], histories[0]);
assert.deepEqual(histories[1][0].values, { said: ['hello', 'heard yes', 'done'] });

// Branches are kept apart.
const graph = graphOf({ checkpointer: saverOf(ann) });
const config = { configurable: { thread_id: 'fork' } };
await graph.invoke({ said: ['hello'] }, config);
const { config: asked } = await graph.getState(config);
const branches = [];
for (const word of ['left', 'right']) branches.push(await graph.updateState(asked, { said: [word] }));
const states = await Promise.all(branches.map((branch) => graph.getState(branch)));
assert.deepEqual(
  states.map(({ values }) => values.said),
  [
    ['hello', 'left'],
    ['hello', 'right'],
  ],
);

assert.equal(await saverOf(bob).getTuple(config), undefined);
await saverOf(ann).deleteThread('fork');
assert.equal(await saverOf(ann).getTuple(config), undefined);
assert.ok(await saverOf(ann).getTuple({ configurable: { thread_id: 'talk' } }));

// The store beside it.
const store = new MemhallStore({ client: clientOf(ann) });
await store.put(['users', 'ann'], 'tea', { text: 'Ann drinks green tea.' });
assert.equal((await store.search(['users'], { query: 'green tea' }))[0].key, 'tea');
