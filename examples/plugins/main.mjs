// Checks the example plugin against the contract, and checks that it survives a power cut.
//
//   node examples/plugins/main.mjs
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const plugin = fileURLToPath(new URL('flat-file/plugin.mjs', import.meta.url));
const memhall = fileURLToPath(new URL('../../packages/server/bin/memhall.js', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'memhall-example-'));
const file = join(directory, 'memories.jsonl');

async function startPlugin() {
  const child = spawn(process.execPath, [plugin, '--port', '0', '--file', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, url: /** @type {string} */ (JSON.parse(line).url) };
}

/** @param {string} url @param {string} method @param {string} path @param {unknown} body */
async function call(url, method, path, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
  return /** @type {any} */ (await response.json());
}

/** @param {string} url */
async function contents(url) {
  const { memories } = await call(url, 'POST', '/v1/search', { namespaces: ['team:blue'], query: 'tea' });
  return memories.map((/** @type {{ content: string }} */ { content }) => content);
}

let { child, url } = await startPlugin();
try {
  const suite = spawn(process.execPath, [memhall, 'conformance', 'plugin', '--target', url], { stdio: 'inherit' });
  const [code] = await once(suite, 'exit');
  assert.equal(code, 0);

  await call(url, 'PUT', '/v1/namespaces/team:blue', { kind: 'team' });
  const memory = { content: 'Tea without milk.', kind: 'fact', source: 'user' };
  const { id } = await call(url, 'POST', '/v1/namespaces/team:blue/memories', memory);
  child.kill('SIGKILL');
  await once(child, 'exit');
  appendFileSync(file, '{"write": {"id": "torn');
  ({ child, url } = await startPlugin());
  assert.deepEqual(await contents(url), ['Tea without milk.']);
  await call(url, 'POST', '/v1/namespaces/team:blue/memories', { ...memory, id, content: 'Tea with milk.' });
  assert.deepEqual(await contents(url), ['Tea with milk.']);
  console.log('Killed and restarted: nothing was lost.');
} finally {
  child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
}
