import { execFile, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { atExit } from '../run/at-exit.js';
import { postgresProgram, serverProgram } from './postgres-programs.js';

const run = promisify(execFile);

export interface PostgresServer {
  version: string;
  /** Its files; undefined if it is not ours. */
  directory: string | undefined;
  /** Creates an empty database with pgvector and returns its URL. */
  createDatabase(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Uses a server of the caller, whose user may create databases. */
export async function usePostgres(url: string): Promise<PostgresServer> {
  return connect(url, undefined, async () => undefined);
}

/** Starts a server with the defaults of PostgreSQL, so that a commit is on disk when it is acknowledged. Returns undefined if it is not installed. */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const [initialise, postgres] = [serverProgram('initdb'), serverProgram('postgres')];
  if (initialise === undefined || postgres === undefined) return undefined;
  const user = unprivilegedUser();
  const directory = mkdtempSync(join(tmpdir(), 'memhall-benchmark-postgres-'));
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  await run(initialise, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale'], {
    ...user,
    cwd: directory,
  });
  const port = await freePort();
  const parameters = ['-D', data, '-k', directory, '-p', String(port)];
  const settings = ['listen_addresses=127.0.0.1', 'max_connections=200'].flatMap((setting) => ['-c', setting]);
  const server = spawn(postgres, [...parameters, ...settings], {
    ...user,
    cwd: directory,
    stdio: 'ignore',
    detached: true,
  });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  const remove = atExit(() => {
    server.kill('SIGINT');
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  const stop = async (): Promise<void> => {
    server.kill('SIGINT');
    await exited;
    remove();
  };
  try {
    return await connect(`postgres://postgres@127.0.0.1:${port}/postgres`, data, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function connect(url: string, directory: string | undefined, stop: () => Promise<void>): Promise<PostgresServer> {
  const version = await askWhenReady(url, 'SHOW server_version');
  const urlOf = (name: string): string => {
    const own = new URL(url);
    own.pathname = `/${name}`;
    return own.href;
  };
  return {
    version,
    directory,
    async createDatabase(name) {
      await ask(url, `CREATE DATABASE ${name}`);
      await ask(urlOf(name), 'CREATE EXTENSION vector');
      return urlOf(name);
    },
    dropDatabase: async (name) => void (await ask(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
    stop,
  };
}

async function askWhenReady(url: string, sql: string): Promise<string> {
  for (const deadline = Date.now() + 30_000; ; await sleep(100)) {
    try {
      return await ask(url, sql);
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

async function ask(url: string, sql: string): Promise<string> {
  const parameters = ['--no-psqlrc', '--tuples-only', '--no-align', '--set', 'ON_ERROR_STOP=1', '--command', sql];
  const { stdout } = await run(postgresProgram('psql'), [...parameters, url]);
  return stdout.trim();
}

/** PostgreSQL does not run as root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
