// Talks to the chat of chat.mjs in two processes, one after the other: the second knows what the first was told.
//
//   node examples/chat-agent/main.mjs
//
// No key, no network: the model is a script, and memory is curated, in two files that a person may read and edit.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const chat = fileURLToPath(new URL('chat.mjs', import.meta.url));
const { OPENAI_BASE_URL: _, ...environment } = process.env;

/** @param {string} directory @param {readonly string[]} lines */
function talk(directory, lines) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [chat, directory], {
    input: lines.map((line) => `${line}\n`).join(''),
    encoding: 'utf8',
    env: environment,
  });
  console.log(stdout);
  assert.equal(status, 0, stderr);
  return stdout;
}

const directory = mkdtempSync(join(tmpdir(), 'memhall-example-'));
try {
  const first = talk(directory, ['Where is my umbrella?', 'My umbrella is behind the door.', 'I play the violin.']);
  assert.match(first, /I do not know/);
  const second = talk(directory, ['Where is my umbrella?', 'Which instrument do I play?']);
  assert.match(second, /You told me: My umbrella is behind the door\./);
  assert.match(second, /You told me: I play the violin\./);
  assert.match(readFileSync(join(directory, '.beaver/memory/USER.md'), 'utf8'), /- My umbrella is behind the door\./);
} finally {
  rmSync(directory, { recursive: true });
}
