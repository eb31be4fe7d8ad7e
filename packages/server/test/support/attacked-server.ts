import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isFull } from './attack-report.js';
import { flagsOf, spawnServer } from './command.js';
import type { TestDatabase } from './databases.js';
import { forgeSecret, forgeToken } from './forge-token.js';
import { send, startTestServer } from './server.js';

export interface AttackedServer {
  url: string;
  /** An administrator's. */
  token: string;
  stop(): Promise<unknown>;
  memoryMiB(): Promise<number>;
  /** The same once garbage is collected. Only of a process of its own. */
  keptMemoryMiB(): Promise<number>;
  /** How often its event loop was late. Only of a process of its own. */
  stalls(): Promise<Record<'stalls over 50 ms' | 'stalls over 250 ms', number>>;
}

/** Starts a server to attack: for the full attacks in a process of its own, which measures itself. */
export async function startAttacked(database: TestDatabase): Promise<AttackedServer> {
  const { url, stop, collectGarbage } = isFull ? await startProcess(database) : await startHere(database);
  const memoryMiB = async () => Math.round((await readMetric(url, 'process_resident_memory_bytes')) / 2 ** 20);
  return {
    ...{ url, stop, memoryMiB, token: forgeToken({ roles: ['admin'] }) },
    async keptMemoryMiB() {
      collectGarbage();
      // Pages are given back by another thread.
      await setTimeout(2000);
      return await memoryMiB();
    },
    async stalls() {
      const all = await readMetric(url, 'memhall_event_loop_stall_seconds_count');
      const short = await readMetric(url, 'memhall_event_loop_stall_seconds_bucket', 'le="0.25"');
      return { 'stalls over 50 ms': all, 'stalls over 250 ms': all - short };
    },
  };
}

interface Started extends Pick<AttackedServer, 'url' | 'stop'> {
  collectGarbage(): void;
}

const collector = fileURLToPath(new URL('collect-garbage.cjs', import.meta.url));

async function startHere(database: TestDatabase): Promise<Started> {
  const { url, close } = await startTestServer(database, { jwtSecret: forgeSecret });
  return { url, stop: close, collectGarbage: () => undefined };
}

async function startProcess(database: TestDatabase): Promise<Started> {
  const { url, child, ended } = await spawnServer(flagsOf(database), {
    // Other tests turn off what makes code fast and takes time at first.
    NODE_OPTIONS: `--require ${collector}`,
    MEMHALL_JWT_SECRET: forgeSecret,
    MEMHALL_STALL_MS: '50',
    MEMHALL_LOG_LEVEL: 'error',
  });
  const stop = () => {
    child.kill();
    return ended;
  };
  return { url, stop, collectGarbage: () => child.kill('SIGUSR2') };
}

/** Returns the sum of a metric over its labels, or over those with one of them. */
async function readMetric(url: string, name: string, label = ''): Promise<number> {
  const { body } = await send(url, { path: '/metrics' });
  const labels = `(?:\\{[^}]*${label}[^}]*\\})${label === '' ? '?' : ''}`;
  const values = [...(body as string).matchAll(new RegExp(`^${name}${labels} (\\S+)$`, 'gm'))];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}
