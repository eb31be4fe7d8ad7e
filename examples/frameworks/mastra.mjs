// An agent of Mastra whose threads are in Memhall: what was said in one thread is recalled in another.
//
//   npm run test:frameworks           installs Mastra, and runs this, too
//   node examples/frameworks/mastra.mjs
//
// It starts its own server and has a scripted model, so no key is needed.
import assert from 'node:assert/strict';
import { Agent } from '@mastra/core/agent';
import { MastraCompositeStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';
import { MemhallMastraMemory, memorySearch, recallContext, serverMemory } from '@memhall/agent/mastra';
import { noteTaker } from './note-taker.mjs';
import { withServer } from './with-server.mjs';

await withServer(async ({ url, token }) => {
  const storage = new MastraCompositeStore({
    id: 'memhall',
    domains: { memory: new MemhallMastraMemory({ url, token }) },
  });
  const memory = serverMemory({ url, token, remembersTurns: false }); // the storage keeps what is said
  const recall = recallContext({ memory });
  const agent = new Agent({
    ...{ id: 'guide', name: 'Guide', instructions: 'Be kind.', model: noteTaker },
    memory: new Memory({ storage }),
    tools: { search_memory: memorySearch({ memory }) },
  });
  const say = async (thread, text) => {
    const answer = await agent.generate(text, {
      ...(await recall(thread, text)),
      memory: { thread, resource: 'ann' },
    });
    console.log(`${thread}> ${text}\n  ${answer.text}`);
    return answer.text;
  };
  await say('monday', 'My umbrella is behind the door.');
  assert.equal(await say('tuesday', 'Where is my umbrella?'), 'My umbrella is behind the door.');
  const { messages } = await new Memory({ storage }).recall({ threadId: 'monday', resourceId: 'ann' });
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['user', 'assistant'],
  );
});
