import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll } from 'vitest';
import { makeCertificate } from './certificate.js';

const program = fileURLToPath(new URL('../../../../node_modules/azurite/dist/src/blob/main.js', import.meta.url));
const account = 'memhalltest';
const accountKey = Buffer.from('a key that only tests have').toString('base64');

export interface Azurite {
  port: number;
  /** Connects to the service itself, or to a proxy on another port. */
  connectionString(port?: number): string;
  /** Settings that make blobs the source of truth, in a new container unless one is named. */
  settings(container?: string): Record<string, string>;
}

/** Azurite as Azure is reached with an identity: over TLS, with tokens instead of keys. */
export interface SecureAzurite {
  url: string;
  /** File with the certificate, for NODE_EXTRA_CA_CERTS. */
  certificate: string;
}

/** Exits when its parent process ends, even if that is killed. */
const script = `process.stdin.once('end', () => process.exit()).resume(); require(${JSON.stringify(program)});`;
const flags = ['--inMemoryPersistence', '--skipApiVersionCheck', '--silent', '--blobPort', '0'];

/** Starts Azurite in its own process, in memory only. Returns its port. */
async function spawnAzurite(more: readonly string[] = []): Promise<number> {
  const child = spawn(process.execPath, ['--eval', script, 'azurite', ...flags, ...more], {
    cwd: mkdtempSync(join(tmpdir(), 'memhall-azurite-')),
    env: { PATH: process.env.PATH, AZURITE_ACCOUNTS: `${account}:${accountKey}` },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return new Promise<number>((done, fail) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /successfully listens on https?:\/\/127\.0\.0\.1:(\d+)/.exec(line);
      if (found !== null) done(Number(found[1]));
    });
    child.once('exit', () => fail(new Error('Azurite ended before it listened')));
  });
}

/** Starts Azurite over TLS, with a certificate of its own. */
export async function startSecureAzurite(directory: string): Promise<SecureAzurite> {
  const { key, certificate } = makeCertificate(directory);
  const port = await spawnAzurite(['--oauth', 'basic', '--cert', certificate, '--key', key]);
  return { url: `https://127.0.0.1:${port}/${account}`, certificate };
}

async function startAzurite(): Promise<Azurite> {
  const port = await spawnAzurite();
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
  };
}

export function newContainer(): string {
  return `test-${Math.random().toString(36).slice(2)}`;
}

let started: Promise<Azurite> | undefined;

/** One Azurite for all suites of a worker; each suite has its own containers. */
export function useAzurite(): () => Azurite {
  let azurite: Azurite | undefined;
  beforeAll(async () => {
    started ??= startAzurite();
    azurite = await started;
  });
  return () => {
    if (azurite === undefined) throw new Error('the blob service is there only while tests run');
    return azurite;
  };
}
