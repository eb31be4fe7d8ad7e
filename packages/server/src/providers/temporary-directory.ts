import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TemporaryDirectory } from '../ports/temporary-directory.js';

type OnFault = (error: unknown, doing: string) => void;

const prefix = 'memhall-temporary-';
/**
 * The modification time of a directory shows that it is in use: process ids mean nothing to other containers on the
 * same disk.
 */
const renewEveryMs = 600_000;
const abandonedAfterMs = 3_600_000;
const cleanEveryMs = 3_600_000;

export async function makeTemporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  const renew = () => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  };
  const renewing = setInterval(renew, renewEveryMs).unref();
  return {
    path,
    async remove() {
      clearInterval(renewing);
      await rm(path, { recursive: true, force: true });
    },
  };
}

/**
 * Removes directories left by processes that ended abruptly, now and periodically. Returns a function that stops it.
 */
export async function keepTemporaryClean(onFault: OnFault): Promise<() => void> {
  await removeAbandoned(onFault);
  const cleaning = setInterval(() => void removeAbandoned(onFault), cleanEveryMs).unref();
  return () => clearInterval(cleaning);
}

/** Removes abandoned directories once. */
export async function removeAbandoned(onFault: OnFault): Promise<void> {
  try {
    const names = await readdir(tmpdir());
    for (const path of names.filter((name) => name.startsWith(prefix)).map((name) => join(tmpdir(), name))) {
      const found = await stat(path).catch(() => undefined);
      if (found === undefined || Date.now() - found.mtimeMs < abandonedAfterMs) continue;
      // This fails for directories of other users, which are not ours to remove.
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }
  } catch (error) {
    onFault(error, 'removing abandoned temporary files');
  }
}
