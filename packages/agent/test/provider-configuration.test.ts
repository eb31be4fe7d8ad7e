import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAgent } from '../src/agent/load-agent.js';
import { parseMemoryConfiguration } from '../src/configuration/memory-configuration.js';
import { parseProviderConfiguration } from '../src/configuration/provider-configuration.js';
import { createProvider } from '../src/provider/create-provider.js';
import { loadProvider } from '../src/provider/load-provider.js';
import { callTool, ScriptedModel } from './support/scripted-model.js';
import { useTemporaryDirectory } from './support/temporary-directory.js';

const directory = useTemporaryDirectory();
const owner = { workspaceId: 'w1', agentId: 'a1' };
const blocks = {
  local: { root: 'memory' },
  http: { url: 'https://memory.example/', token: 'secret-token' },
  plugin: { url: 'unix:/run/plugin.sock' },
};

function messageOf(section: unknown): string {
  try {
    parseProviderConfiguration(section);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('memory.provider', () => {
  it.each([
    ['local', 'LocalProvider'],
    ['http', 'HttpProvider'],
    ['plugin', 'PluginProvider'],
  ])('%s creates a %s, regardless of the other blocks', (provider, name) => {
    const others = Object.fromEntries(Object.keys(blocks).map((kind) => [kind, 'broken']));
    const section = { provider, ...owner, ...others, [provider]: blocks[provider as keyof typeof blocks] };
    expect(createProvider(parseProviderConfiguration(section)).constructor.name).toBe(name);
  });

  it('is parsed with its block and defaults', () => {
    expect(
      parseProviderConfiguration({ provider: 'local', ...owner, local: { root: 'm', lockTimeoutSeconds: 2 } }),
    ).toEqual({
      provider: 'local',
      owner,
      root: 'm',
      lockTimeoutMs: 2000,
    });
    const http = parseProviderConfiguration({ provider: 'http', ...owner, ...blocks });
    expect(http).toMatchObject({ url: 'https://memory.example', timeoutMs: 10_000 });
    expect(JSON.stringify(http)).not.toContain('secret-token');
  });

  it.each([
    [{}, ['memory.provider must be one of local, http, plugin', 'memory.workspaceId is required']],
    [{ provider: 'redis', ...owner }, ['memory.provider must be one of']],
    [{ provider: 'local', ...owner }, ['memory.local is required with provider local']],
    [
      { provider: 'local', ...owner, local: { path: '.' } },
      ['memory.local has unknown members (path)', 'memory.local.root is required'],
    ],
    [
      { provider: 'http', workspaceId: 'a b', http: { url: 'ftp://x', timeoutSeconds: 0 } },
      [
        'memory.workspaceId must have',
        'memory.http.url must be',
        'memory.http.timeoutSeconds must be',
        'memory.http.token is required',
      ],
    ],
    [
      { provider: 'plugin', ...owner, plugin: { url: 'unix:' } },
      ['memory.plugin.url must be an http(s) URL', 'unix:/path'],
    ],
    [{ provider: 'local', ...owner, ...blocks, lokal: {} }, ['memory has unknown members (lokal)']],
    [[], ['memory must be an object']],
  ])('%j is rejected with a list of all faults', (section, messages) => {
    for (const message of messages) expect(messageOf(section)).toContain(message);
  });

  it('never repeats a misplaced secret', () => {
    const secret = 'sk-0123456789abcdef';
    const section = { provider: 'http', ...owner, http: { url: `https://u:${secret}@x`, [secret]: 1, token: 7 } };
    expect(messageOf(section)).not.toContain(secret);
  });

  it('can be combined with the agent’s own mode', () => {
    expect(parseMemoryConfiguration({ mode: 'curated', provider: 'local', ...owner, ...blocks })).toEqual({
      mode: 'curated',
    });
  });

  it('is loaded from the file in a directory and works immediately', async () => {
    mkdirSync(join(directory(), '.beaver'));
    const memory = { provider: 'local', ...owner, local: { root: 'memory' } };
    writeFileSync(join(directory(), '.beaver/config.json'), JSON.stringify({ memory }));
    const { provider, owner: loaded } = await loadProvider(directory());
    expect(await provider.retain({ ...loaded, tier: 'AGENT', content: 'x', mode: 'append' })).toEqual({
      id: 'AGENT.md',
      bytes: 1,
    });
    const { hits } = await provider.recall({ ...loaded, query: 'x' });
    expect(hits).toHaveLength(1);
  });

  it('gives an agent the tools of its provider', async () => {
    const { model } = new ScriptedModel([[callTool('memory_append_daily', { entry: 'Met Lena.' })], 'Noted.']);
    const memory = { mode: 'curated', provider: 'local', ...owner, local: { root: 'tiers' } };
    const { loop, status } = await loadAgent({ directory: directory(), model, memory });
    const tools = ['memory_read', 'memory_write', 'memory_search', 'memory_append_daily'];
    expect(status.tools).toEqual(expect.arrayContaining(tools));
    expect((await loop.run({ prompt: 'Note that.' })).text).toBe('Noted.');
    expect(readdirSync(join(directory(), 'tiers/daily'))).toHaveLength(1);
  });

  it('is required', async () => {
    await expect(loadProvider(directory())).rejects.toThrow(/memory\.provider must be one of/);
  });
});
