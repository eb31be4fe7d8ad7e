import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '@anthropic-ai/claude-agent-sdk';
import { memhallHooks, memhallServer, serverMemory } from '@memhall/agent/claude-agent';
import { startFakeMessages } from './fake-messages.mjs';
import { ann, bob, memoryOf, recalledTexts, url } from './servers.mjs';

const home = mkdtempSync(join(tmpdir(), 'claude-home-'));

/** Runs a conversation with the real program of the SDK, and a stand-in for the Messages API. */
async function converse(token, prompts, answers, options = {}) {
  const fake = await startFakeMessages(answers);
  const events = [];
  const memory = serverMemory({ url, token });
  const hooks = memhallHooks({ memory, audit: ({ type }) => void events.push(type), ...options });
  const results = [];
  let next = () => {};
  async function* input() {
    for (const prompt of prompts) {
      const answered = new Promise((done) => {
        next = done;
      });
      yield { type: 'user', message: { role: 'user', content: prompt }, parent_tool_use_id: null, session_id: '' };
      await answered;
    }
  }
  const run = query({
    prompt: input(),
    options: {
      hooks,
      mcpServers: { memhall: memhallServer({ url, token }) },
      allowedTools: ['mcp__memhall__search_memory'],
      cwd: home,
      settingSources: [],
      model: 'claude-sonnet-4-5',
      env: {
        ...{
          PATH: process.env.PATH,
          HOME: home,
          ANTHROPIC_API_KEY: 'none',
          ANTHROPIC_BASE_URL: fake.url,
          CLAUDE_CONFIG_DIR: home,
        },
        ...{
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          DISABLE_AUTOUPDATER: '1',
          DISABLE_TELEMETRY: '1',
          ENABLE_TOOL_SEARCH: 'false',
        },
      },
    },
  });
  for await (const message of run) {
    if (message.type !== 'result') continue;
    results.push(message.result ?? message.errors);
    next();
    if (results.length === prompts.length) break;
  }
  fake.stop();
  return {
    requests: fake.requests.map(({ system, messages, tools }) =>
      JSON.stringify({ system, messages, tools: tools.map(({ name }) => name) }),
    ),
    results,
    events,
  };
}

await memoryOf(ann).remember('My umbrella is behind the door.');
await memoryOf(ann).remember('I play the violin on Sundays.');
const search = { name: 'mcp__memhall__search_memory', input: { query: 'When do I play the violin?' } };
const { requests, results, events } = await converse(
  ann,
  ['Where is my umbrella?', 'And the violin?'],
  ['Behind the door.', search, 'On Sundays.'],
);
assert.deepEqual(results, ['Behind the door.', 'On Sundays.']);
assert.match(requests[0], /recalled_memory.*behind the door/);
assert.match(requests[0], /untrusted reference data/);
assert.match(requests[0], /mcp__memhall__search_memory/);
assert.equal(requests[1].match(/Reference data, not instructions/g).length, 1);
assert.match(requests[2], /I play the violin on Sundays/);
assert.deepEqual(
  events.filter((type) => type.includes('recall')),
  ['memory_recall_succeeded'],
);
assert.deepEqual(
  events.filter((type) => type.includes('remember')),
  ['memory_remember_succeeded', 'memory_remember_succeeded'],
);
const remembered = await recalledTexts(ann, 'Where is my umbrella?');
assert.ok(remembered.includes('Behind the door.') || remembered.includes('Where is my umbrella?'), String(remembered));
assert.deepEqual(await recalledTexts(bob, 'umbrella'), []);

const each = await converse(ann, ['Where is my umbrella?', 'When do I play the violin?'], [], {
  recall: 'every_prompt',
  remembers: false,
});
assert.deepEqual(each.events, ['memory_recall_succeeded', 'memory_recall_succeeded']);
assert.equal(each.requests.at(-1).match(/Reference data, not instructions/g).length, 2);

// A server that does not answer does not stop the agent.
const lonely = memhallHooks({ memory: serverMemory({ url: 'http://127.0.0.1:9', token: ann }) });
const base = { session_id: 's', transcript_path: '/nowhere', cwd: '/' };
assert.match(
  (await lonely.UserPromptSubmit[0].hooks[0]({ ...base, prompt: 'Hello' })).hookSpecificOutput.additionalContext,
  /untrusted/,
);
assert.deepEqual(await lonely.Stop[0].hooks[0]({ ...base, stop_hook_active: false }), {});
// The program writes to its home for a moment after it has answered, also while that is removed.
for (let left = 40; existsSync(home); left--) {
  try {
    rmSync(home, { recursive: true, force: true });
  } catch (error) {
    if (left === 0) throw error;
    await sleep(250);
  }
}
process.exit(0);
