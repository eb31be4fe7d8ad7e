import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const memory = '/dev/shm';
/** A whole run takes about one. */
const neededBytes = 6 * 1024 ** 3;

/**
 * Has every temporary directory of the run, and of all it starts, made in memory: databases are copied and removed by the
 * hundred, thousands of files each time. Where there is no such memory, or little of it, the disk has to do. Answers how to
 * undo it.
 */
export function workInMemory(): () => void {
  if (!existsSync(memory)) return () => undefined;
  const { bavail, bsize } = statfsSync(memory);
  if (Math.min(bavail * bsize, freemem()) < neededBytes) return () => undefined;
  const directory = mkdtempSync(`${memory}/memhall-`);
  // PostgreSQL may run as another user than the one who starts it.
  chmodSync(directory, 0o711);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = directory;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(directory, { recursive: true, force: true });
  };
}
