import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadAgent } from '../src/agent/load-agent.js';
import { loadMemoryConfiguration } from '../src/configuration/load-memory-configuration.js';
import { type LoadProviderOptions, loadProvider } from '../src/provider/load-provider.js';
import { gatewaySection } from './support/gateway-settings.js';
import { ScriptedModel } from './support/scripted-model.js';
import { useTemporaryDirectory } from './support/temporary-directory.js';
import { writeAgentFile } from './support/test-agent.js';

const directory = useTemporaryDirectory();
const owner = { workspaceId: 'w1', agentId: 'a1', crewId: 'c1' };
const example = fileURLToPath(new URL('../../../examples/providers/in-memory/provider.mjs', import.meta.url));

function configure(memory: object): void {
  writeAgentFile(directory(), 'config.json', JSON.stringify({ memory }));
}

async function load(memory: object, options: LoadProviderOptions = {}): Promise<string> {
  configure(memory);
  return (await loadProvider(directory(), options)).provider.constructor.name;
}

const http = (url: string) => ({ provider: 'http', ...owner, http: { url, token: 'secret-token' } });
const plugin = (url: string) => ({ provider: 'plugin', ...owner, plugin: { url } });
const local = (root: string, more: object = {}) => ({ provider: 'local', ...owner, local: { root, ...more } });

describe('a configuration file in somebody else’s repository', () => {
  it.each([
    [http('https://evil.example/'), 'memory.http.url leads to the host evil.example'],
    [http('http://127.0.0.1.evil.example:8010'), 'leads to the host 127.0.0.1.evil.example:8010'],
    [http('http://localhost.evil.example'), 'leads to the host localhost.evil.example'],
    [plugin('https://evil.example'), 'memory.plugin.url leads to the host evil.example'],
  ])('cannot send memory to another host: %j', async (memory, message) => {
    await expect(load(memory)).rejects.toThrow(message);
    await expect(load(memory)).rejects.toThrow(/has to allow \(allowedHosts\)/);
    const { model } = new ScriptedModel(['Hello.']);
    await expect(loadAgent({ directory: directory(), model })).rejects.toThrow(message);
  });

  it.each(['memory_gateway', 'hybrid'])('cannot send conversations to another host in mode %s', async (mode) => {
    configure({ mode, gateway: gatewaySection('https://evil.example') });
    const message = 'memory.gateway.baseUrl leads to the host evil.example';
    const { model } = new ScriptedModel(['Hello.']);
    await expect(loadAgent({ directory: directory(), model })).rejects.toThrow(message);
    await expect(loadMemoryConfiguration(directory())).rejects.toThrow(message);
    const allowed = await loadMemoryConfiguration(directory(), { allowedHosts: ['evil.example'] });
    expect(allowed).toMatchObject({ mode });
  });

  it.each([{ mode: 'one_memory' }, {}, { mode: 'curated', sessions: { store: 'server' } }])(
    'cannot remember in a server on another host: %j',
    async (section) => {
      configure({ ...section, server: { url: 'https://evil.example', token: 'secret-token' } });
      const message = 'memory.server.url leads to the host evil.example';
      await expect(loadMemoryConfiguration(directory())).rejects.toThrow(message);
      await expect(loadMemoryConfiguration(directory(), { allowedHosts: ['evil.example'] })).resolves.toBeDefined();
    },
  );

  it('cannot store sessions on another host', async () => {
    const sessions = { store: 'server', url: 'https://evil.example', token: 'secret-token' };
    configure({ sessions });
    const { model } = new ScriptedModel(['Hello.']);
    const agent = { directory: directory(), model };
    await expect(loadAgent(agent)).rejects.toThrow('memory.sessions.url leads to the host evil.example');
    await expect(loadAgent({ ...agent, allowedHosts: ['evil.example'] })).resolves.toBeDefined();
    configure({ sessions: { ...sessions, url: 'http://127.0.0.1:8010' } });
    await expect(loadAgent(agent)).resolves.toBeDefined();
  });

  it.each([
    [http('http://127.0.0.1:8010'), 'HttpProvider'],
    [http('http://localhost:8010'), 'HttpProvider'],
    [http('http://[::1]:8010'), 'HttpProvider'],
    [plugin('unix:/run/plugin.sock'), 'PluginProvider'],
    [local('memory', { crewRoot: './crews/../crew' }), 'LocalProvider'],
  ])('can choose a memory on this machine: %j', async (memory, name) => {
    expect(await load(memory)).toBe(name);
  });

  it('can send memory to hosts that the program allows', async () => {
    const memory = http('https://Memory.Example:8443');
    expect(await load(memory, { allowedHosts: ['other.example', 'memory.example'] })).toBe('HttpProvider');
    expect(await load(memory, { allowedHosts: ['MEMORY.example:8443'] })).toBe('HttpProvider');
    for (const host of ['memory.example:443', 'ample', 'example', '', '*']) {
      await expect(load(memory, { allowedHosts: [host] })).rejects.toThrow('the host memory.example:8443');
    }
    const { model } = new ScriptedModel(['Hello.']);
    await expect(loadAgent({ directory: directory(), model, allowedHosts: ['memory.example'] })).resolves.toBeDefined();
  });

  it('cannot use directories outside of its own, not even through links', async () => {
    mkdirSync(join(directory(), 'project'));
    symlinkSync('..', join(directory(), 'project/up'));
    writeAgentFile(join(directory(), 'project'), 'config.json', '{}');
    for (const [root, crewRoot] of [['..'], ['/tmp'], ['a/../../b'], ['up/memory'], ['memory', '../crew']]) {
      const memory = local(root ?? '', crewRoot === undefined ? {} : { crewRoot });
      writeFileSync(join(directory(), 'project/.beaver/config.json'), JSON.stringify({ memory }));
      const project = join(directory(), 'project');
      await expect(loadProvider(project)).rejects.toThrow(/must be a directory within the one that contains \.beaver/);
      await expect(loadProvider(project, { allowOutsideDirectories: true })).resolves.toBeDefined();
      await expect(loadProvider(project, { memory })).resolves.toBeDefined();
    }
  });

  it('cannot run code', async () => {
    writeFileSync(join(directory(), 'evil.mjs'), 'globalThis.wasRun = true; export const createProvider = () => ({});');
    for (const provider of [
      './evil.mjs',
      join(directory(), 'evil.mjs'),
      `file://${directory()}/evil.mjs`,
      'evil.mjs',
    ]) {
      await expect(load({ provider, ...owner })).rejects.toThrow(/a module can only be named in code or by a flag/);
      const { model } = new ScriptedModel(['Hello.']);
      await expect(loadAgent({ directory: directory(), model })).rejects.toThrow(/only be named in code/);
    }
    expect(globalThis).not.toHaveProperty('wasRun');
  });
});

describe('a provider that the program names', () => {
  it('can be a module, instead of the one in the file', async () => {
    configure(local('memory'));
    const { provider, owner: loaded } = await loadProvider(directory(), { provider: example });
    expect(provider.constructor.name).toBe('InMemoryProvider');
    expect(loaded).toEqual(owner);
    await provider.retain({ ...loaded, tier: 'AGENT', content: 'A lantern.', mode: 'append' });
    expect((await provider.recall({ ...loaded, query: 'lantern' })).hits).toHaveLength(1);
    await provider.forget({ ...loaded, id: 'AGENT.md' });
    const given = await loadProvider(directory(), { memory: { provider: example, ...owner } });
    expect(given.provider.constructor.name).toBe('InMemoryProvider');
  });

  it('can be another kind than the one in the file', async () => {
    expect(await load({ ...local('memory'), ...plugin('unix:/run/plugin.sock') }, { provider: 'local' })).toBe(
      'LocalProvider',
    );
    await expect(load(local('memory'), { provider: 'redis' })).rejects.toThrow(/must be one of local, http, plugin/);
  });

  it('gives an agent its tools', async () => {
    const { model } = new ScriptedModel(['Hello.']);
    const { status } = await loadAgent({ directory: directory(), model, memory: { provider: example, ...owner } });
    expect(status.tools).toContain('memory_write');
  });

  it.each([
    ['missing.mjs', undefined, /cannot be loaded/],
    ['empty.mjs', '', /must export a function createProvider/],
    ['odd.mjs', 'export const createProvider = () => ({ specification: "provider/v0" });', /must return a provider/],
  ])('is rejected with a clear message if it is %s', async (name, code, message) => {
    if (code !== undefined) writeFileSync(join(directory(), name), code);
    configure({ ...owner });
    await expect(loadProvider(directory(), { provider: join(directory(), name) })).rejects.toThrow(message);
  });

  it('still needs an owner', async () => {
    await expect(loadProvider(directory(), { provider: example })).rejects.toThrow(/memory\.workspaceId is required/);
  });
});
