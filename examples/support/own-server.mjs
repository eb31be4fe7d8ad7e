import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const memhall = fileURLToPath(new URL('../../packages/server/bin/memhall.js', import.meta.url));

/**
 * Starts `memhall serve` on a free port, with an admin token for tenant `default`, user `me`. Uses PostgreSQL if
 * DATABASE_URL is set. Starts from a copy of the data directory EXAMPLE_DATA, if set: creating a new one takes seconds.
 * @param {string} dataDirectory
 */
export async function startOwnServer(dataDirectory) {
  if (process.env.EXAMPLE_DATA !== undefined) cpSync(process.env.EXAMPLE_DATA, dataDirectory, { recursive: true });
  const flags = ['--data', dataDirectory];
  const server = spawn(
    process.execPath,
    [memhall, 'serve', '--json', '--port', '0', '--plugin-port', 'off', ...flags],
    {
      // Examples recall by meaning at once.
      env: { ...process.env, MEMHALL_EMBEDDER_START: 'wait' },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  const options = ['--tenant', 'default', '--user', 'me', '--role', 'admin', ...flags];
  const token = execFileSync(process.execPath, [memhall, 'token', ...options], { encoding: 'utf8' }).trim();
  return {
    url: /** @type {string} */ (JSON.parse(line).url),
    token,
    dataDirectory,
    async stop() {
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}
