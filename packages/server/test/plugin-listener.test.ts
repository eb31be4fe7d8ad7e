import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../src/main.js';
import { runCommand } from './support/command.js';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { send, startTestServer } from './support/server.js';

describe('the plugin listener', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('embedded');
  });
  afterAll(() => database.remove());

  it.each(['0.0.0.0', '::', '::ffff:0.0.0.0', '192.0.2.1', 'fd00::1', 'not a host name'])(
    'does not start on %s without a token',
    async (pluginHost) => {
      const dataDirectory = join(database.config().dataDirectory, 'refused');
      const started = startServer(database.config({ pluginHost, dataDirectory }), pino({ level: 'silent' }));
      await expect(started).rejects.toMatchObject({
        name: 'StartUpError',
        message: `The plugin listener would be open to other machines without a token on ${pluginHost}. Set MEMHALL_PLUGIN_TOKEN, bind it to loopback with --plugin-host, or allow it with --plugin-open-to-network.`,
      });
      expect(existsSync(dataDirectory)).toBe(false);
    },
  );

  it.each([
    ['with a token', { pluginHost: '0.0.0.0', pluginToken: 'shared' }, 401],
    ['if that is allowed by name', { pluginHost: '0.0.0.0', pluginOpenToNetwork: 'true' }, 200],
  ])('starts on all addresses %s', async (_, settings, status) => {
    const server = await startTestServer(database, settings);
    const url = server.pluginUrl?.replace('0.0.0.0', '127.0.0.1') ?? '';
    expect((await send(url, { path: '/v1/health' })).status).toBe(status);
    await server.close();
  });

  it.each([{ pluginHost: '0.0.0.0', pluginPort: 'off' }, { pluginHost: 'localhost' }])(
    'does not prevent a start with %j',
    async (settings) => {
      const server = await startTestServer(database, settings);
      expect((await send(server.url, { path: '/health' })).status).toBe(200);
      await server.close();
    },
  );

  it('is reported by memhall doctor if it would be open to other machines', async () => {
    const args = [
      'doctor',
      '--port',
      '0',
      '--plugin-port',
      '0',
      '--embedder',
      'none',
      '--data',
      database.config().dataDirectory,
    ];
    const { code, stdout } = await runCommand([...args, '--plugin-host', '0.0.0.0']);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/FAIL {2}plugin listener: .*--plugin-open-to-network/)]);
    const allowed = await runCommand([...args, '--plugin-host', '0.0.0.0', '--plugin-open-to-network']);
    expect(allowed.stdout).toMatch(/warn {2}plugin listener: everyone/);
  });
});
