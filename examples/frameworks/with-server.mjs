import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOwnServer } from '../support/own-server.mjs';

/** Starts a server for as long as an example runs. */
export async function withServer(use) {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-example-'));
  const server = await startOwnServer(directory);
  try {
    await use(server);
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true });
  }
}
