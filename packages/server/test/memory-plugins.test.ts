import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { BuiltInPlugin } from '../src/engine/plugin/built-in-plugin.js';
import { HttpMemoryPlugin } from '../src/providers/memory-plugins/http-memory-plugin.js';
import { describeOneDatabase } from './support/databases.js';
import { useEngine } from './support/engine.js';
import { describeMemoryPlugin } from './support/memory-plugin-contract.js';
import { useServer } from './support/server.js';

describeOneDatabase('in-process memory plugin', (database) => {
  const running = useEngine(database, { embedder: 'local' });
  describeMemoryPlugin('memory plugin contract', () => new BuiltInPlugin(running().engine));
});

describeOneDatabase('memory plugin over HTTP', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-plugin-'));
  const pluginSocket = join(directory, 'plugin.sock');
  const server = useServer(database, { embedder: 'local', pluginSocket });
  const plugin = new HttpMemoryPlugin({ url: `unix:${pluginSocket}`, timeoutMs: 30_000 });
  afterAll(() => {
    plugin.close();
    rmSync(directory, { recursive: true, force: true });
  });
  describeMemoryPlugin('memory plugin contract', () => {
    server();
    return plugin;
  });
});
