// A chat in the terminal with an agent that remembers. The file .beaver/config.json in the given directory configures its
// memory: see docs/guide/agent.md.
//
//   node examples/chat-agent/chat.mjs ~/beaver
//   node examples/chat-agent/chat.mjs ~/beaver --provider ./my-provider.js   another memory provider than the file's
//   node examples/chat-agent/chat.mjs ~/beaver --allow-host memory.example   lets the file send memory to this host
//
// With a real model behind any OpenAI-compatible endpoint:
//
//   OPENAI_BASE_URL=https://…/v1 OPENAI_API_KEY=… OPENAI_MODEL=… node examples/chat-agent/chat.mjs ~/beaver
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { loadAgent } from '@memhall/agent';
import { scriptedModel } from './scripted-model.mjs';

const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey, OPENAI_MODEL: modelId = 'gpt-5-mini' } = process.env;

const model =
  baseURL === undefined
    ? scriptedModel
    : createOpenAICompatible({ name: 'openai', baseURL, ...(apiKey === undefined ? {} : { apiKey }) })(modelId);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { provider: { type: 'string' }, 'allow-host': { type: 'string', multiple: true } },
});

const { loop, status } = await loadAgent({
  directory: positionals[0] ?? '.',
  provider: values.provider,
  allowedHosts: values['allow-host'],
  model,
  instructions: 'You are Beaver, an assistant who knows its user. Keep what will matter later; answer briefly.',
}).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
console.log(`Memory: ${JSON.stringify(status.memory)}. Each line is one question; Ctrl-D ends the chat.`);

const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
/** @type {string | undefined} */
let sessionId;
terminal.prompt();
for await (const line of terminal) {
  if (line.trim() !== '') {
    try {
      const stream = loop.stream({ prompt: line, ...(sessionId === undefined ? {} : { sessionId }) });
      sessionId = stream.sessionId;
      for await (const part of stream) {
        if (part.type === 'text') process.stdout.write(part.text);
        if (part.type === 'tool_call') process.stdout.write(`[${part.toolName}] `);
      }
      process.stdout.write('\n');
    } catch (error) {
      console.error(`No answer: ${error instanceof Error ? error.message : error}`);
    }
  }
  terminal.prompt();
}
