import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../packages/server/bin/memhall.js', import.meta.url));

/**
 * Starts the server as a user would: default settings, default log level, with the log in a file.
 * @param {object} options
 * @param {string} options.directory for its data and its log
 * @param {string | undefined} options.databaseUrl
 * @param {string} options.jwtSecret
 * @param {string | undefined} options.profileDirectory
 * @param {string} [options.pluginPort]
 * @param {Record<string, string>} [options.environment] further settings
 * @returns {Promise<{ url: string, pluginUrl: string, pid: number, stop: () => Promise<void> }>}
 */
export async function startMemhall({
  directory,
  databaseUrl,
  jwtSecret,
  profileDirectory,
  pluginPort = 'off',
  environment = {},
}) {
  const logFile = join(directory, 'server.log');
  const log = openSync(logFile, 'w');
  const profiling = profileDirectory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`];
  const flags = ['--json', '--port', '0', '--plugin-port', pluginPort, '--data', join(directory, 'server-data')];
  const server = spawn(process.execPath, [...profiling, program, 'serve', ...flags], {
    env: {
      PATH: process.env.PATH,
      MEMHALL_JWT_SECRET: jwtSecret,
      MEMHALL_EMBEDDER_START: 'wait',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...environment,
    },
    stdio: ['ignore', 'pipe', log],
    detached: true,
  });
  closeSync(log);
  const exited = new Promise((done) => server.once('exit', done));
  const stop = async () => {
    server.kill('SIGTERM');
    await exited;
  };
  const output = /** @type {import('node:stream').Readable} */ (server.stdout);
  for await (const line of createInterface({ input: output })) {
    const { url, plugin_url: pluginUrl, pid } = JSON.parse(line);
    return { url, pluginUrl, pid, stop };
  }
  await exited;
  throw new Error(`Memhall did not start:\n${readFileSync(logFile, 'utf8')}`);
}
