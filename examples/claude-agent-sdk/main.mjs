// An agent of the Claude Agent SDK that remembers: hooks recall when a session starts and remember each turn, and a tool searches for the rest.
//
//   MEMHALL_TEST_LONG=1 npm run test:frameworks   installs the SDK, and runs this, too
//   node examples/claude-agent-sdk/main.mjs
//
// It starts its own server and a stand-in for the Messages API, so no key is needed.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query } from '@anthropic-ai/claude-agent-sdk';
import { memhallHooks, memhallServer, serverMemory } from '@memhall/agent/claude-agent';
import { startOwnServer } from '../support/own-server.mjs';
import { startFakeMessages } from './fake-messages.mjs';

const directory = mkdtempSync(join(tmpdir(), 'memhall-example-'));
const { url, token, stop } = await startOwnServer(join(directory, 'server'));
const search = { name: 'mcp__memhall__search_memory', input: { query: 'Where is the umbrella?' } };
const fake = await startFakeMessages(['Noted.', search, 'It is behind the door.']);
const env = {
  ...{ PATH: process.env.PATH, HOME: directory, CLAUDE_CONFIG_DIR: directory },
  ...{ ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: fake.url },
  ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', ENABLE_TOOL_SEARCH: 'false' },
};

/** Each call is a session of its own. */
async function ask(prompt) {
  const options = {
    hooks: memhallHooks({ memory: serverMemory({ url, token }) }),
    mcpServers: { memhall: memhallServer({ url, token }) },
    allowedTools: ['mcp__memhall__search_memory'],
    ...{ cwd: directory, settingSources: [], env },
  };
  for await (const message of query({ prompt, options })) {
    if (message.type !== 'result') continue;
    console.log(`> ${prompt}\n  ${message.result}`);
    return message.result;
  }
  throw new Error('The agent gave no result.');
}

try {
  await ask('My umbrella is behind the door.');
  assert.equal(await ask('Where is my umbrella?'), 'It is behind the door.');
  const [, asked, found] = fake.requests.map(({ messages }) => JSON.stringify(messages));
  assert.match(asked, /recalled_memory.*My umbrella is behind the door/);
  assert.match(found, /tool_result.*My umbrella is behind the door/);
} finally {
  fake.stop();
  await stop();
  rmSync(directory, { recursive: true, force: true });
}
