import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const memory = '/dev/shm';
/** A whole run needs about 1 GiB. */
const neededBytes = 6 * 1024 ** 3;

/**
 * Puts every temporary directory of the run and of its processes in memory, because databases with thousands of files
 * each are copied and removed hundreds of times. Falls back to disk if there is not enough memory. Returns a function
 * that undoes it.
 */
export function workInMemory(): () => void {
  if (!existsSync(memory)) return () => undefined;
  const { bavail, bsize } = statfsSync(memory);
  if (Math.min(bavail * bsize, freemem()) < neededBytes) return () => undefined;
  const directory = mkdtempSync(`${memory}/memhall-`);
  // PostgreSQL may run as a different user.
  chmodSync(directory, 0o711);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = directory;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(directory, { recursive: true, force: true });
  };
}
