import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort, unprivilegedUser } from './postgres-cluster.js';

export interface PgBouncer {
  /** The URL of the cluster, through the pooler. */
  url: string;
  stop(): Promise<void>;
}

const program = '/usr/sbin/pgbouncer';

export function hasPgBouncer(): boolean {
  if (existsSync(program)) return true;
  if (process.env.MEMHALL_REQUIRE_PGBOUNCER !== undefined) {
    throw new Error('MEMHALL_REQUIRE_PGBOUNCER is set, but PgBouncer is not installed here');
  }
  process.stdout.write('Without PgBouncer: working behind a pooler is not tested.\n');
  return false;
}

/** Starts PgBouncer in transaction mode in front of a cluster, with few connections, so that transactions change sessions. */
export async function startPgBouncer(
  clusterUrl: string,
  { settings = [], poolSize = 5 }: { settings?: readonly string[]; poolSize?: number } = {},
): Promise<PgBouncer> {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-pgbouncer-'));
  const user = unprivilegedUser();
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const server = new URL(clusterUrl);
  const port = await freePort();
  writeFileSync(join(directory, 'users.txt'), '"postgres" ""\n');
  const lines = [
    '[databases]',
    `* = host=${server.hostname} port=${server.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(directory, 'users.txt')}`,
    'auth_user = postgres',
    "auth_query = SELECT rolname, '' FROM pg_roles WHERE rolname = $1",
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 500',
    'server_login_retry = 1',
    'query_wait_timeout = 3',
    // Gives the session that has been idle for the longest time, so that no client keeps one.
    'server_round_robin = 1',
    ...settings,
  ];
  writeFileSync(join(directory, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
  const pooler = spawn(program, ['-q', join(directory, 'pgbouncer.ini')], { ...user, cwd: directory, stdio: 'ignore' });
  const exited = new Promise<void>((done) => pooler.once('exit', () => done()));
  const stop = async () => {
    pooler.kill('SIGKILL');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  };
  server.port = String(port);
  await waitUntilReady(server.href, stop);
  return { url: server.href, stop };
}

async function waitUntilReady(url: string, stop: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + 10_000; ; ) {
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
