import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

export interface PostgresCluster {
  /** URL of the maintenance database, as superuser. */
  url: string;
  stop(): Promise<void>;
}

/** Returns the directory of the PostgreSQL programs, or undefined if PostgreSQL is not installed. */
export function findBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const majors = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [...majors.map((major) => join(debian, major, 'bin')), ...(process.env.PATH ?? '').split(':')];
  return candidates.find(
    (directory) => existsSync(join(directory, 'initdb')) && existsSync(join(directory, 'postgres')),
  );
}

/** PostgreSQL refuses to run as root. Returns the user postgres or nobody if this process runs as root. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {}
  }
  throw new Error('there is neither a user postgres nor nobody to run PostgreSQL as');
}

export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address !== null && typeof address === 'object' ? done(address.port) : fail(new Error('no port')),
      );
    });
  });
}

/** Starts a temporary cluster in a temporary directory. Returns undefined if PostgreSQL is not installed. */
export async function startPostgresCluster(): Promise<PostgresCluster | undefined> {
  const binaries = findBinaries();
  if (binaries === undefined) return undefined;
  const directory = mkdtempSync(join(tmpdir(), 'memhall-pg-'));
  const user = unprivilegedUser();
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  initialiseCluster(binaries, data);
  const { url, stop } = await startOnDirectory(binaries, data, [
    'fsync=off',
    'full_page_writes=off',
    'synchronous_commit=off',
    'max_wal_size=256MB',
    // Query plans must not depend on when statistics are collected. Tests collect what they need.
    'autovacuum=off',
  ]);
  return {
    url,
    async stop() {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Creates the files of a cluster. Its directory must belong to the user who may run PostgreSQL. */
export function initialiseCluster(binaries: string, data: string): void {
  const initialise = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  execFileSync(join(binaries, 'initdb'), initialise, { ...unprivilegedUser(), cwd: dirname(data), stdio: 'pipe' });
}

/** Starts PostgreSQL on the files of a cluster, and waits until it answers. */
export async function startOnDirectory(binaries: string, data: string, more: string[]): Promise<PostgresCluster> {
  const port = await freePort();
  const settings = [
    'max_connections=200',
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${dirname(data)}`,
    ...more,
  ];
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...unprivilegedUser(), cwd: dirname(data), stdio: 'ignore' },
  );
  const exited = new Promise<void>((done) => server.once('exit', () => done()));
  const stop = async () => {
    server.kill('SIGINT');
    await exited;
  };
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await waitUntilReady(url, stop);
  return { url, stop };
}

export async function waitUntilReady(url: string, stop: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + 30_000; ; ) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > deadline) {
        await stop();
        throw error;
      }
      await sleep(50);
    }
  }
}
