import { Worker } from 'node:worker_threads';
import type { ReadFailure, ReadFile } from '../../ports/file-reader.js';
import type { FileWorkerReply } from './file-worker.js';

export interface ThreadedLimits {
  timeoutMs: number;
  /** Limit of the heap of the thread. The process may take twice as much on top of what it starts with. */
  memoryMegabytes: number;
  /** Characters of text. */
  textLength: number;
}

const checkMemoryMs = 20;
const megabyte = 1024 * 1024;

interface ThreadedFile {
  file: ReadFile;
  /** Whether the thread exceeded a limit. It may then still be running. */
  wasStopped: boolean;
}

/**
 * Reads a file in its own thread, which is terminated if it takes too long or too much memory. A thread is not reused, so no file
 * can leave anything behind for the next.
 */
export async function readInThread(
  path: string,
  { timeoutMs, memoryMegabytes, textLength }: ThreadedLimits,
  onDetected: (mediaType: string) => void,
): Promise<ThreadedFile> {
  const worker = new Worker(new URL('./file-worker.js', import.meta.url), {
    name: 'memhall-file',
    workerData: { path, textLength },
    // Messages of libraries about unreadable files are of no use to anyone.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  let mediaType: string | null = null;
  const read = await new Promise<ThreadedFile>((resolve) => {
    const fail = (failure: ReadFailure, wasStopped: boolean) =>
      resolve({ file: mediaType === null ? { mediaType } : { mediaType, failure }, wasStopped });
    const timer = setTimeout(() => fail('took_too_long', true), timeoutMs);
    const watch = watchMemory(memoryMegabytes, () => fail('too_large', true));
    worker.on('message', (reply: FileWorkerReply) => {
      if (reply.type === 'read') return resolve({ file: reply.file, wasStopped: false });
      mediaType = reply.mediaType;
      onDetected(mediaType);
    });
    worker.on('error', (error) => {
      if (isOutOfMemory(error)) fail('too_large', true);
      else fail('unreadable', false);
    });
    worker.on('exit', () => {
      clearTimeout(timer);
      clearInterval(watch);
      fail('unreadable', false);
    });
  });
  const terminating = worker.terminate();
  if (!read.wasStopped) await terminating;
  return read;
}

/** A thread's limits do not include buffers, so the memory of the whole process is watched. */
function watchMemory(megabytes: number, onExceeded: () => void): NodeJS.Timeout {
  const before = process.memoryUsage.rss();
  return setInterval(() => {
    if (process.memoryUsage.rss() - before > 2 * megabytes * megabyte) onExceeded();
  }, checkMemoryMs);
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
