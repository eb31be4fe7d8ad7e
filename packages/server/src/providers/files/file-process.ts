import { writeFile } from 'node:fs/promises';
import type { ReadFile } from '../../ports/file-reader.js';
import { readInThread, type ThreadedLimits } from './read-in-thread.js';

/** What the process is told to read. */
export interface FileOrder {
  path: string;
  limits: ThreadedLimits;
}

export type FileProcessReply =
  | { type: 'detected'; mediaType: string }
  /** `isReusable`: whether the process may read another file. */
  | { type: 'read'; file: ReadFile; isReusable: boolean };

/** A process that keeps more memory than this is not used again. */
const maxResidentBytes = 200 * 1024 * 1024;

const reply = (message: FileProcessReply) => process.send?.(message);

process.on('message', async ({ path, limits }: FileOrder) => {
  const { file, wasStopped } = await readInThread(path, limits, (mediaType) => reply({ type: 'detected', mediaType }));
  reply({ type: 'read', file, isReusable: !wasStopped && process.memoryUsage.rss() < maxResidentBytes });
});
// The parent is gone. The main thread never works on a file, so it notices; an ordinary exit would wait for the thread that does.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// If the machine runs out of memory, Linux ends this process rather than the one that started it. Other systems have no such file.
writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);
