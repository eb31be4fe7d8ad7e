// Runs chat.mjs in two processes, one after the other. The second one knows what the first one was told.
//
//   node examples/chat-agent/main.mjs
//
// The model is a script, so no key is needed. The memory is the gateway of a server that this example starts. Without
// configuration chat.mjs uses curated memory: two files that a person can read and edit.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGatewayUser } from '../support/gateway-user.mjs';
import { startOwnServer } from '../support/own-server.mjs';

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
const server = await startOwnServer(join(directory, 'server'));
try {
  const gateway = { baseUrl: server.url, ...(await createGatewayUser(server)), scope: ['all_user_memory'] };
  mkdirSync(join(directory, '.beaver'));
  const configuration = JSON.stringify({ memory: { mode: 'memory_gateway', gateway } });
  writeFileSync(join(directory, '.beaver/config.json'), configuration, { mode: 0o600 });

  const first = talk(directory, ['Where is my umbrella?', 'My umbrella is behind the door.', 'I play the violin.']);
  assert.match(first, /I do not know/);
  const second = talk(directory, ['Where is my umbrella?', 'Which instrument do I play?']);
  assert.match(second, /You told me: My umbrella is behind the door\./);
  assert.match(second, /You told me: I play the violin\./);
} finally {
  await server.stop();
  rmSync(directory, { recursive: true });
}
