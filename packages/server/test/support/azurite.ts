import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';

const program = fileURLToPath(new URL('../../../../node_modules/azurite/dist/src/blob/main.js', import.meta.url));
const account = 'memhalltest';
const accountKey = Buffer.from('a key that only tests have').toString('base64');

export interface Azurite {
  port: number;
  /** Connects to the service itself, or to a proxy on another port. */
  connectionString(port?: number): string;
  /** Settings that make blobs the source of truth, in a new container unless one is named. */
  settings(container?: string): Record<string, string>;
  stop(): Promise<void>;
}

/** Starts a real blob service in its own process that keeps everything in memory. */
export async function startAzurite(): Promise<Azurite> {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-azurite-'));
  const flags = ['--inMemoryPersistence', '--skipApiVersionCheck', '--silent', '--blobPort', '0'];
  const child = spawn(process.execPath, [program, ...flags], {
    cwd: directory,
    env: { PATH: process.env.PATH, AZURITE_ACCOUNTS: `${account}:${accountKey}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const port = await new Promise<number>((done, fail) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /successfully listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(line);
      if (found !== null) done(Number(found[1]));
    });
    void ended.then(() => fail(new Error('Azurite ended before it listened')));
  });
  const connectionString = (through = port) =>
    `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${accountKey};BlobEndpoint=http://127.0.0.1:${through}/${account};`;
  return {
    port,
    connectionString,
    settings: (container = newContainer()) => ({
      artifacts: 'azure-blob',
      azureStorageConnectionString: connectionString(),
      azureContainer: container,
    }),
    stop: async () => {
      child.kill();
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export function newContainer(): string {
  return `test-${Math.random().toString(36).slice(2)}`;
}

/** Runs one blob service for a suite. */
export function useAzurite(): () => Azurite {
  let azurite: Azurite | undefined;
  beforeAll(async () => {
    azurite = await startAzurite();
  });
  afterAll(() => azurite?.stop());
  return () => {
    if (azurite === undefined) throw new Error('the blob service is there only while tests run');
    return azurite;
  };
}
