// Memory as files: the memory tool of Anthropic's SDK, recall of what was written, and the same files in a folder.
//
//   node examples/claude-memory/main.mjs
//
// It starts its own server and a stand-in for the Messages API, so no key is needed. Set DATABASE_URL to run it on PostgreSQL.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Anthropic from '@anthropic-ai/sdk';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { claudeMemory } from '@memhall/agent/claude-memory';
import { MemoryToolClient } from '@memhall/client/memory-tool';
import { OneMemoryClient } from '@memhall/client/one-memory';
import { startOwnServer } from '../support/own-server.mjs';
import { startFakeMessages } from './fake-messages.mjs';

const memhall = fileURLToPath(new URL('../../packages/server/bin/memhall.js', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'memhall-example-'));
const { url, token, dataDirectory, stop } = await startOwnServer(join(directory, 'server'));
const path = '/memories/preferences.md';
const fake = await startFakeMessages([
  { command: 'view', path: '/memories' },
  { command: 'create', path, file_text: '# Preferences\n\n- Takes tea without milk\n' },
  { command: 'str_replace', path, old_str: 'without milk', new_str: 'with lemon' },
  { command: 'view', path },
]);
try {
  const client = new MemoryToolClient({ baseUrl: url, token });
  const anthropic = new Anthropic({ apiKey: 'none', baseURL: fake.url });
  const answer = await anthropic.beta.messages.toolRunner({
    model: 'fake',
    max_tokens: 1024,
    messages: [{ role: 'user', content: 'I take my tea with lemon now.' }],
    tools: [betaMemoryTool(claudeMemory({ client }))],
  });
  const [said] = answer.content;
  assert.equal(said?.type, 'text');
  console.log(said.text);
  assert.match(said.text, /3\t- Takes tea with lemon/);

  const memory = new OneMemoryClient({ baseUrl: url, token });
  const { results } = await memory.recall('What goes into the tea?');
  console.log(`Recalled: ${results[0]?.text}, from ${results[0]?.origin.document?.path}`);
  assert.equal(results[0]?.text, 'Takes tea with lemon');

  const folder = join(directory, 'folder');
  /** @param {string} direction */
  const fs = (direction) => {
    const owner = ['--user', 'me', '--data', dataDirectory, '--log-level', 'silent'];
    console.log(execFileSync(process.execPath, [memhall, 'fs', direction, folder, ...owner], { encoding: 'utf8' }));
  };
  fs('pull');
  assert.equal(readFileSync(join(folder, 'preferences.md'), 'utf8'), '# Preferences\n\n- Takes tea with lemon\n');
  appendFileSync(join(folder, 'preferences.md'), '- Window seat in trains\n');
  fs('push');
  const { content } = await client.run({ command: 'view', path });
  assert.match(content, /4\t- Window seat in trains/);
  console.log(content);
} finally {
  fake.stop();
  await stop();
  rmSync(directory, { recursive: true });
}
