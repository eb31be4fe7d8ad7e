import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const memhall = fileURLToPath(new URL('../../packages/server/bin/memhall.js', import.meta.url));

/**
 * Starts `memhall serve` on a free port, with an admin token for tenant `default`, user `me`. Uses PostgreSQL if
 * DATABASE_URL is set.
 * @param {string} dataDirectory
 */
export async function startOwnServer(dataDirectory) {
  const flags = ['--data', dataDirectory];
  const server = spawn(
    process.execPath,
    [memhall, 'serve', '--json', '--port', '0', '--plugin-port', 'off', ...flags],
    {
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
