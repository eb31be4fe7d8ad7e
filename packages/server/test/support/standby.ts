import { execFile, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBinaries, freePort, unprivilegedUser, waitUntilReady } from './postgres-cluster.js';

export interface Standby {
  url: string;
  stop(): Promise<void>;
}

/** Starts a copy of a cluster that follows it by streaming replication. */
export async function startStandby(primaryUrl: string): Promise<Standby> {
  const binaries = findBinaries() ?? '';
  const directory = mkdtempSync(join(tmpdir(), 'memhall-standby-'));
  const user = unprivilegedUser();
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  const copy = ['-R', '-D', data, '-d', primaryUrl, '--checkpoint=fast', '--no-sync'];
  await promisify(execFile)(join(binaries, 'pg_basebackup'), copy, { ...user, cwd: directory });
  const port = await freePort();
  const settings = [
    'fsync=off',
    // Not fewer than the cluster has.
    'max_connections=200',
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${directory}`,
  ];
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...user, cwd: directory, stdio: 'ignore' },
  );
  const exited = new Promise<void>((done) => server.once('exit', () => done()));
  const stop = async () => {
    server.kill('SIGINT');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  };
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await waitUntilReady(url, stop);
  return { url, stop };
}
