import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Place } from '../adapter.js';

const run = promisify(execFile);

/** Signs tokens of servers that live for one case. */
export const memhallSecret = 'a secret for servers that live for one case of a benchmark';

interface MemhallServer {
  url: string;
  /** Runs `memhall erase --compact`. */
  compact(): Promise<void>;
  close(): Promise<void>;
}

/** Starts `memhall serve`. With the embedded database, further processes use the server that holds the data directory. */
export async function startMemhallServer(place: Place): Promise<MemhallServer> {
  const { directory, databaseUrl, environment } = place;
  const program = join(place.packageDirectory('memhall'), 'bin', 'memhall.js');
  const env = {
    PATH: environment.PATH,
    HOME: directory,
    MEMHALL_JWT_SECRET: memhallSecret,
    MEMHALL_EMBEDDER_START: 'wait',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
  const data = join(directory, 'memhall');
  const compact = async (): Promise<void> => {
    await run(process.execPath, [program, 'erase', '--compact', '--data', data], { env, cwd: directory });
  };
  const address = join(directory, 'server-address');
  const running = databaseUrl === undefined ? await runningAt(address) : undefined;
  if (running !== undefined) return { url: running, compact, close: async () => undefined };
  const log = join(directory, `server-${process.pid}.log`);
  const flags = ['--json', '--port', '0', '--plugin-port', 'off', '--data', data];
  const server = spawn(process.execPath, [program, 'serve', ...flags], {
    env,
    cwd: directory,
    stdio: ['ignore', 'pipe', openSync(log, 'w')],
  });
  const url = await firstAddress(server, log);
  writeFileSync(address, url);
  return {
    url,
    compact,
    async close() {
      const exited = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await exited;
    },
  };
}

async function runningAt(address: string): Promise<string | undefined> {
  if (!existsSync(address)) return undefined;
  const url = readFileSync(address, 'utf8');
  const isUp = await fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
  return isUp ? url : undefined;
}

async function firstAddress({ stdout }: ChildProcess, log: string): Promise<string> {
  if (stdout !== null) for await (const line of createInterface({ input: stdout })) return JSON.parse(line).url;
  throw new Error(`memhall serve did not start: ${readFileSync(log, 'utf8').trim().split('\n').at(-1)}`);
}
