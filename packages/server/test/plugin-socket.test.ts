import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { HttpMemoryPlugin } from '../src/providers/memory-plugins/http-memory-plugin.js';
import { flagsOf, spawnServer } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { pluginCall } from './support/memory-plugin-contract.js';
import { startTestServer } from './support/server.js';

describeOneDatabase('the plugin listener on a socket', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-socket-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const pluginSocket = join(directory, 'plugin.sock');

  async function isHealthy(token?: string): Promise<boolean> {
    const plugin = new HttpMemoryPlugin({ url: `unix:${pluginSocket}`, token, timeoutMs: 20_000 });
    const healthy = await plugin.health(pluginCall()).then(
      ({ status }) => status === 'ok',
      () => false,
    );
    plugin.close();
    return healthy;
  }

  it('restricts the socket to its owner, replaces a stale socket and removes it on close', async () => {
    const killed = await spawnServer([...flagsOf(database()), '--embedder', 'none', '--plugin-socket', pluginSocket]);
    expect(killed.pluginUrl).toBe(`unix:${pluginSocket}`);
    expect(statSync(pluginSocket).mode & 0o777).toBe(0o600);
    expect(await isHealthy()).toBe(true);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(statSync(pluginSocket).isSocket()).toBe(true);
    const server = await startTestServer(database(), { pluginSocket, pluginToken: 'shared' });
    expect(await isHealthy()).toBe(false);
    expect(await isHealthy('shared')).toBe(true);
    await server.close();
    expect(() => statSync(pluginSocket)).toThrow('ENOENT');
  });

  it('rejects a path that another process listens on or that is a regular file', async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(pluginSocket, done));
    await expect(startTestServer(database(), { pluginSocket })).rejects.toThrow('Another process is listening on');
    await new Promise((done) => other.close(done));
    writeFileSync(pluginSocket, 'notes');
    await expect(startTestServer(database(), { pluginSocket })).rejects.toThrow('is not a socket');
    expect(statSync(pluginSocket).size).toBe(5);
    rmSync(pluginSocket);
  });
});
