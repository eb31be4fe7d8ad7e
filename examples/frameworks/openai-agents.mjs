// A conversation of the OpenAI Agents SDK in Memhall: another process goes on with it, and what was said is recalled in the next one.
//
//   npm run test:frameworks           installs the SDK, and runs this, too
//   node examples/frameworks/openai-agents.mjs
//
// It starts its own server and has a scripted model, so no key is needed.
import assert from 'node:assert/strict';
import { MemhallSession, memorySearch, recallFilter, serverMemory } from '@memhall/agent/openai-agents';
import { MemoryClient } from '@memhall/client';
import { Agent, Runner, tool, Usage } from '@openai/agents';
import { withServer } from './with-server.mjs';

/** Notes statements, and answers a question with what it is shown. */
const model = {
  async getResponse({ input }) {
    const texts = input.map(({ content }) => (typeof content === 'string' ? content : (content?.[0]?.text ?? '')));
    const known = texts.join('\n').match(/My umbrella is [^."]+\./);
    const text = texts.at(-1).endsWith('?') ? (known?.[0] ?? 'I do not know.') : 'Noted.';
    const content = [{ type: 'output_text', text }];
    return { usage: new Usage(), output: [{ type: 'message', role: 'assistant', status: 'completed', content }] };
  },
};

await withServer(async ({ url, token }) => {
  const client = new MemoryClient({ baseUrl: url, token });
  const memory = serverMemory({ url, token, remembersTurns: false }); // the session stores what is said
  const agent = new Agent({ name: 'Guide', model, tools: [tool(memorySearch({ memory }))] });
  const runner = new Runner({ tracingDisabled: true });
  const say = async (sessionId, text) => {
    const session = new MemhallSession({ client, sessionId });
    const callModelInputFilter = recallFilter({ memory, sessionId });
    const { finalOutput } = await runner.run(agent, text, { session, callModelInputFilter });
    console.log(`${sessionId}> ${text}\n  ${finalOutput}`);
    return finalOutput;
  };
  await say('monday', 'My umbrella is behind the door.');
  assert.equal(await say('monday', 'Where is my umbrella?'), 'My umbrella is behind the door.');
  assert.equal(await say('tuesday', 'Where is my umbrella?'), 'My umbrella is behind the door.');
  assert.equal((await new MemhallSession({ client, sessionId: 'monday' }).getItems()).length, 4);
});
