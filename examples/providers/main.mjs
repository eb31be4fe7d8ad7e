// Checks the example provider against the contract, then uses it.
//
//   node examples/providers/main.mjs
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createProvider } from './in-memory/provider.mjs';

const module = fileURLToPath(new URL('in-memory/provider.mjs', import.meta.url));
const memhall = fileURLToPath(new URL('../../packages/server/bin/memhall.js', import.meta.url));

const suite = spawn(process.execPath, [memhall, 'conformance', 'provider', '--module', module], { stdio: 'inherit' });
const [code] = await once(suite, 'exit');
assert.equal(code, 0);

const owner = { workspaceId: 'w1', agentId: 'guide' };
const provider = await createProvider(owner);
await provider.retain({ ...owner, tier: 'AGENT', content: 'Answers briefly.', mode: 'append' });
const { hits } = await provider.recall({ ...owner, query: 'briefly', limit: 5 });
assert.equal(hits[0]?.source, 'AGENT.md');
console.log('Stored, and found again.');
