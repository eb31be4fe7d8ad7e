import { makeDirectory, type OpenDirectory } from './open-directory.js';
import { withTicket } from './ticket-lock.js';

/** Contains what Memhall itself needs in a directory of memory files. Not meant to be edited by people. */
const homeName = '.memhall';

interface LockOptions {
  /** How long to wait for other processes. */
  waitMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Runs work while nobody else holds the lock of the directory, in this process or another, and gives it Memhall's own
 * folder there. Rejects with LockTimeout if the wait is too long.
 */
export async function withDirectoryLock<T>(
  directory: OpenDirectory,
  options: LockOptions,
  work: (home: OpenDirectory) => Promise<T>,
): Promise<T> {
  const home = await makeDirectory(directory, homeName);
  try {
    const queue = await makeDirectory(home, 'lock');
    try {
      return await withTicket(queue, options, () => work(home));
    } finally {
      await queue.close();
    }
  } finally {
    await home.close();
  }
}
