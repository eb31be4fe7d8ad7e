// One memory: stored over HTTP, asked over MCP, corrected on the command line, read by an agent, with its history.
//
//   node examples/one-memory/main.mjs
//
// It starts its own server, so that it can check itself. The model is a script, so no key is needed. Set DATABASE_URL to run it on
// PostgreSQL.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadAgent } from '@memhall/agent';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { scriptedModel } from '../chat-agent/scripted-model.mjs';
import { startOwnServer } from '../support/own-server.mjs';

const memhall = fileURLToPath(new URL('../../packages/server/bin/memhall.js', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'memhall-example-'));
const { url, token, dataDirectory, stop } = await startOwnServer(join(directory, 'server'));
try {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const content = 'I take my tea without milk.';
  const body = JSON.stringify({ content, external_id: 'tea' });
  const stored = await fetch(`${url}/v1/remember`, { method: 'POST', headers, body });
  const { memory } = await stored.json();
  console.log(`Stored over HTTP: ${memory.content}`);

  const mcp = new Client({ name: 'walk', version: '1' });
  await mcp.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  const found = await mcp.callTool({ name: 'search_memory', arguments: { query: 'What do I take in my tea?' } });
  await mcp.close();
  assert.match(JSON.stringify(found.structuredContent), /without milk/);
  console.log('Asked over MCP: found.');

  /** @param {readonly string[]} words */
  const command = (...words) =>
    execFileSync(process.execPath, [memhall, ...words, '--data', dataDirectory, '--log-level', 'silent'], {
      encoding: 'utf8',
    });
  command('remember', '--external-id', 'tea', 'I take my tea with lemon.');
  console.log('Corrected on the command line.');

  const server = { url, token };
  const { loop } = await loadAgent({ directory, model: scriptedModel, memory: { server } });
  const { text } = await loop.run({ prompt: 'How do I take my tea?' });
  console.log(`Read by an agent: ${text}`);
  assert.equal(text, 'You told me: I take my tea with lemon.');

  const history = command('show', memory.id);
  console.log(history);
  assert.match(history, /written {2}HTTP API, by you/);
  assert.match(history, /written {2}command line, by you/);
} finally {
  await stop();
  rmSync(directory, { recursive: true });
}
