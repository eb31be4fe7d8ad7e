import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  /** Milliseconds of processor time of each turn of its event loop that took more than 50. Only of a process of its own. */
  longTurns(): number[];
}

/** Starts a server to attack: for the full attacks in a process of its own, which measures itself. */
export async function startAttacked(database: TestDatabase): Promise<AttackedServer> {
  const { url, stop, collectGarbage, longTurns } = isFull ? await startProcess(database) : await startHere(database);
  const memoryMiB = async () => Math.round((await readMetric(url, 'process_resident_memory_bytes')) / 2 ** 20);
  return {
    ...{ url, stop, memoryMiB, longTurns, token: forgeToken({ roles: ['admin'] }) },
    async keptMemoryMiB() {
      collectGarbage();
      // Pages are given back by another thread.
      await setTimeout(2000);
      return await memoryMiB();
    },
  };
}

interface Started extends Pick<AttackedServer, 'url' | 'stop' | 'longTurns'> {
  collectGarbage(): void;
}

const [collector, meter] = ['collect-garbage.cjs', 'measure-turns.cjs'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

async function startHere(database: TestDatabase): Promise<Started> {
  const { url, close } = await startTestServer(database, { jwtSecret: forgeSecret });
  return { url, stop: close, collectGarbage: () => undefined, longTurns: () => [] };
}

async function startProcess(database: TestDatabase): Promise<Started> {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-turns-'));
  const turns = join(directory, 'turns');
  writeFileSync(turns, '');
  const { url, child, ended } = await spawnServer(flagsOf(database), {
    // Other tests turn off what makes code fast and takes time at first.
    NODE_OPTIONS: `--require ${collector} --require ${meter}`,
    MEASURED_TURNS: turns,
    MEMHALL_JWT_SECRET: forgeSecret,
    MEMHALL_LOG_LEVEL: 'error',
  });
  const stop = async () => {
    child.kill();
    await ended;
    rmSync(directory, { recursive: true });
  };
  const longTurns = () => readFileSync(turns, 'utf8').split('\n').filter(Boolean).map(Number);
  return { url, stop, longTurns, collectGarbage: () => child.kill('SIGUSR2') };
}

async function readMetric(url: string, name: string): Promise<number> {
  const { body } = await send(url, { path: '/metrics' });
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body as string)?.[1]);
}

/** Counts turns for the report. */
export function countTurns(turns: readonly number[]): Record<string, number> {
  return { 'turns over 50 ms': turns.length, 'turns over 250 ms': turns.filter((ms) => ms > 250).length };
}
