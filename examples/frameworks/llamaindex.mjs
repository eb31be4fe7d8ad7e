// An agent of LlamaIndex.TS whose memory is in Memhall: another process goes on with it, and what was said is recalled in the next one.
//
//   npm run test:frameworks           installs LlamaIndex, and runs this, too
//   node examples/frameworks/llamaindex.mjs
//
// It starts its own server and has a scripted model, so no key is needed.
import assert from 'node:assert/strict';
import { agent } from '@llamaindex/workflow';
import { memorySearch, openMemory, recallBlock, serverMemory } from '@memhall/agent/llamaindex';
import { MemoryClient } from '@memhall/client';
import { createMemory, ToolCallLLM, tool } from 'llamaindex';
import { withServer } from './with-server.mjs';

/** Notes statements, and answers a question with what it is shown. */
class NoteTaker extends ToolCallLLM {
  supportToolCall = true;
  metadata = { model: 'note-taker', temperature: 0, topP: 1, contextWindow: 100_000, structuredOutput: false };

  async chat({ messages, stream }) {
    const texts = messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
    const known = texts.join('\n').match(/My umbrella is [^."]+\./)?.[0] ?? 'I do not know.';
    const content = texts.at(-1).endsWith('?') ? known : 'Noted.';
    if (!stream) return { message: { role: 'assistant', content }, raw: null };
    return (async function* () {
      yield { delta: content, options: {}, raw: null };
    })();
  }
}

await withServer(async ({ url, token }) => {
  const client = new MemoryClient({ baseUrl: url, token });
  const memory = serverMemory({ url, token, remembersTurns: false }); // the opened memory stores what is said
  const say = async (sessionId, text) => {
    const memoryBlocks = [recallBlock({ memory, sessionId })];
    const chat = await openMemory(createMemory({ memoryBlocks }), { client, sessionId });
    const guide = agent({ llm: new NoteTaker(), tools: [tool(memorySearch({ memory }))], memory: chat });
    const { data } = await guide.run(text);
    await chat.stored();
    console.log(`${sessionId}> ${text}\n  ${data.result}`);
    return data.result;
  };
  await say('monday', 'My umbrella is behind the door.');
  assert.equal(await say('monday', 'Where is my umbrella?'), 'My umbrella is behind the door.');
  assert.equal(await say('tuesday', 'Where is my umbrella?'), 'My umbrella is behind the door.');
});
