import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/**
 * @typedef {object} PostgresCluster
 * @property {string} url
 * @property {string} version
 * @property {number} pid of the process whose children are the others
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a throw-away cluster with PostgreSQL's defaults, so that a commit is on disk when it is acknowledged.
 * Returns undefined if PostgreSQL is not installed.
 * @param {string[]} [more] further settings
 * @returns {Promise<PostgresCluster | undefined>}
 */
export async function startPostgresCluster(more = []) {
  const binaries = findBinaries();
  if (binaries === undefined) return undefined;
  const directory = mkdtempSync(join(tmpdir(), 'memhall-benchmark-pg-'));
  const user = unprivilegedUser();
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  const initialise = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale'];
  execFileSync(join(binaries, 'initdb'), initialise, { ...user, cwd: directory, stdio: 'pipe' });
  const port = await freePort();
  const settings = ['fsync=on', 'synchronous_commit=on', 'max_connections=200', 'listen_addresses=127.0.0.1', ...more];
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-k', directory, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...user, cwd: directory, stdio: 'ignore', detached: true },
  );
  const exited = new Promise((done) => server.once('exit', done));
  const stop = async () => {
    server.kill('SIGINT');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  };
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return { url, version: await waitUntilReady(url, stop), pid: server.pid ?? 0, stop };
}

/** Returns the directory with the programs of the newest installed server. */
function findBinaries() {
  const debian = '/usr/lib/postgresql';
  const majors = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [...majors.map((major) => join(debian, major, 'bin')), ...(process.env.PATH ?? '').split(':')];
  return candidates.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (/** @type {string} */ flag) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {}
  }
  throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody');
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((done, fail) => {
    const probe = createServer().once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => done(port));
    });
  });
}

/**
 * Returns the server's version.
 * @param {string} url
 * @param {() => Promise<void>} stop
 * @returns {Promise<string>}
 */
async function waitUntilReady(url, stop) {
  for (const deadline = Date.now() + 30_000; ; await sleep(50)) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query('SHOW server_version');
      await client.end();
      return rows[0].server_version;
    } catch (error) {
      if (Date.now() < deadline) continue;
      await stop();
      throw error;
    }
  }
}
