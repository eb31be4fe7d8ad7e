// A LangGraph agent with its memory in Memhall: what it learns in one thread, it knows in the next, and a thread goes on where it was.
import assert from 'node:assert/strict';
import { Annotation, START, StateGraph } from '@langchain/langgraph';
import { MemhallSaver, MemhallStore } from '@memhall/agent/langgraph';
import { MemoryClient } from '@memhall/client';

const State = Annotation.Root({
  said: /** @type {typeof Annotation<string>} */ (Annotation)(),
  answer: /** @type {typeof Annotation<string>} */ (Annotation)(),
});

/**
 * Returns the best memory, where a real agent would ask a model.
 * @param {{ said: string }} state
 * @param {import('@langchain/langgraph').Runtime} runtime
 */
async function talk({ said }, { store }) {
  if (store === undefined) throw new Error('The graph has no store.');
  if (said.endsWith('?')) {
    const [best] = await store.search(['users', 'ann'], { query: said });
    return { answer: best === undefined ? 'I do not know.' : `You told me: ${best.value.text}` };
  }
  await store.put(['users', 'ann'], crypto.randomUUID(), { text: said });
  return { answer: 'Noted.' };
}

/** @param {{ url: string, token: string }} server */
export async function rememberInLangGraph({ url, token }) {
  const client = new MemoryClient({ baseUrl: url, token });
  const store = new MemhallStore({ client, name: `example-${Date.now()}` });
  const checkpointer = new MemhallSaver({ client, name: `example-${Date.now()}` });
  const graph = new StateGraph(State).addNode('talk', talk).addEdge(START, 'talk').compile({ store, checkpointer });
  let thread = 0;
  const say = async (/** @type {string} */ said) => {
    thread += 1;
    const { answer } = await graph.invoke({ said }, { configurable: { thread_id: `thread-${thread}` } });
    console.log(`> ${said}\n  ${answer}`);
    return answer;
  };
  assert.equal(await say('Where do I keep my umbrella?'), 'I do not know.');
  await say('My umbrella is behind the door.');
  await say('I play the violin on Sundays.');
  assert.match(await say('Where do I keep my umbrella?'), /behind the door/);
  assert.match(await say('When do I play the violin?'), /on Sundays/);
  const { values } = await graph.getState({ configurable: { thread_id: 'thread-2' } });
  assert.deepEqual(values, { said: 'My umbrella is behind the door.', answer: 'Noted.' });
}
