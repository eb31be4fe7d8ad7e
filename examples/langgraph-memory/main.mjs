// A LangGraph agent whose long-term memory is in Memhall: what it learns in one thread it knows in the next.
//
//   npm start                       # in one terminal; prints a token
//   TOKEN=… node examples/langgraph-memory/main.mjs
//
// Without a token it starts a server of its own, so that it can check itself.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Annotation, START, StateGraph } from '@langchain/langgraph';
import { MemhallStore } from '@memhall/agent/langgraph';
import { MemoryClient } from '@memhall/client';
import { startOwnServer } from '../support/own-server.mjs';

const State = Annotation.Root({
  said: /** @type {typeof Annotation<string>} */ (Annotation)(),
  answer: /** @type {typeof Annotation<string>} */ (Annotation)(),
});

/** Where a model would be asked, the best memory is the answer. */
async function talk(
  /** @type {{ said: string }} */ { said },
  /** @type {import('@langchain/langgraph').Runtime} */ { store },
) {
  if (store === undefined) throw new Error('The graph has no store.');
  if (said.endsWith('?')) {
    const [best] = await store.search(['users', 'ann'], { query: said });
    return { answer: best === undefined ? 'I do not know.' : `You told me: ${best.value.text}` };
  }
  await store.put(['users', 'ann'], crypto.randomUUID(), { text: said });
  return { answer: 'Noted.' };
}

const own =
  process.env.TOKEN === undefined ? await startOwnServer(mkdtempSync(join(tmpdir(), 'memhall-example-'))) : undefined;
try {
  const client = new MemoryClient({
    baseUrl: own?.url ?? process.env.MEMHALL_URL ?? 'http://127.0.0.1:8010',
    token: own?.token ?? process.env.TOKEN ?? '',
  });
  const store = new MemhallStore({ client, name: `example-${Date.now()}` });
  const graph = new StateGraph(State).addNode('talk', talk).addEdge(START, 'talk').compile({ store });
  const say = async (/** @type {string} */ said) => {
    const { answer } = await graph.invoke({ said });
    console.log(`> ${said}\n  ${answer}`);
    return answer;
  };
  assert.equal(await say('Where do I keep my umbrella?'), 'I do not know.');
  await say('My umbrella is behind the door.');
  await say('I play the violin on Sundays.');
  assert.match(await say('Where do I keep my umbrella?'), /behind the door/);
  assert.match(await say('Which instrument do I play? The violin?'), /on Sundays/);
} finally {
  await own?.stop();
  if (own !== undefined) rmSync(own.dataDirectory, { recursive: true });
}
