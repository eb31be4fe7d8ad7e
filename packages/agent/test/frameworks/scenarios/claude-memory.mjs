import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { claudeMemory } from '@memhall/agent/claude-memory';
import { MemoryToolClient } from '@memhall/client/memory-tool';
import { startFakeMessages } from './fake-memory-calls.mjs';
import { ann, recalledTexts, url } from './servers.mjs';

const client = new MemoryToolClient({ baseUrl: url, token: ann });
const path = '/memories/tea.md';

/** Lets the model call the tool once, and returns what it was told. */
async function told(input) {
  const fake = await startFakeMessages([input]);
  const anthropic = new Anthropic({ apiKey: 'none', baseURL: fake.url });
  const tools = [betaMemoryTool(claudeMemory({ client, agentId: 'waiter' }))];
  const messages = [{ role: 'user', content: 'Hello' }];
  const { content } = await anthropic.beta.messages.toolRunner({ model: 'fake', max_tokens: 100, messages, tools });
  fake.stop();
  return content[0].text;
}

assert.match(await told({ command: 'view', path: '/memories' }), /2 levels deep in \/memories/);
assert.equal(
  await told({ command: 'create', path, file_text: 'Ann takes her tea black.\n' }),
  `File created successfully at: ${path}`,
);
assert.match(await told({ command: 'create', path, file_text: 'x' }), /already exists/);
assert.match(await told({ command: 'str_replace', path, old_str: 'black', new_str: 'with milk' }), /with milk/);
assert.match(await told({ command: 'insert', path, insert_line: 1, insert_text: 'At four.\n' }), /has been edited/);
assert.match(await told({ command: 'rename', old_path: path, new_path: '/memories/drinks.md' }), /renamed/);
assert.match(await told({ command: 'view', path: '/memories/drinks.md' }), /with milk\.\n\s+2\tAt four\./);
assert.deepEqual(await recalledTexts(ann, 'What does Ann drink?'), ['Ann takes her tea with milk.\nAt four.']);
assert.match(await told({ command: 'delete', path: '/memories/drinks.md' }), /Successfully deleted/);
assert.match(await told({ command: 'view', path: '/memories/drinks.md' }), /does not exist/);
await told({ command: 'create', path, file_text: 'Ann takes her tea black.\n' });
