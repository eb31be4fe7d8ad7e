import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Problem } from '@memhall/core';
import type { ReadFile } from '../../ports/file-reader.js';
import type { FileOrder, FileProcessReply } from './file-process.js';
import type { ThreadedLimits } from './read-in-thread.js';

/** The compiled module is next to this file. Processes cannot run TypeScript, so tests use the one that was built. */
const modulePath = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../../dist/providers/files/file-process.js' : './file-process.js',
    import.meta.url,
  ),
);
/** A process ends a file by itself after its time. One that does not is killed this much later. */
const graceMs = 5000;
const maxFiles = 100;

/**
 * A process that reads files, one at a time. It gets no environment, so no secrets. It ends with its parent, however that ends, and
 * does not keep it running while it has nothing to do.
 */
export class ReaderProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<NodeJS.Signals | Error | null>;
  #files = 0;
  #isWorn = false;

  constructor() {
    this.#child = fork(modulePath, [], {
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once('exit', (_code, signal) => resolve(signal));
      this.#child.on('error', resolve);
    });
    void this.#ended.then(() => {
      this.#isWorn = true;
    });
  }

  /** Returns whether it should read no more files, because it has read many or keeps too much memory. */
  get isWorn(): boolean {
    return this.#isWorn || this.#files >= maxFiles;
  }

  /** Never rejects because of the content. Throws UNAVAILABLE if the process cannot be started. */
  async read(path: string, limits: ThreadedLimits): Promise<ReadFile> {
    this.#files += 1;
    this.#keepAlive(true);
    let mediaType: string | null = null;
    let isStuck = false;
    const killing = setTimeout(() => {
      isStuck = true;
      this.end();
    }, limits.timeoutMs + graceMs);
    try {
      return await new Promise<ReadFile>((resolve, reject) => {
        this.#child.on('message', (reply: FileProcessReply) => {
          if (reply.type === 'detected') {
            mediaType = reply.mediaType;
            return;
          }
          this.#isWorn = !reply.isReusable;
          resolve(reply.file);
        });
        this.#ended.then((how) => {
          if (how instanceof Error) reject(notStarted(how));
          else if (mediaType === null) resolve({ mediaType });
          else if (isStuck) resolve({ mediaType, failure: 'took_too_long' });
          // Nobody else but a system without memory kills it.
          else resolve({ mediaType, failure: how === 'SIGKILL' ? 'too_large' : 'unreadable' });
        });
        const order: FileOrder = { path, limits };
        // A failure to send is followed by the end of the process.
        this.#child.send(order, () => undefined);
      });
    } finally {
      clearTimeout(killing);
      this.#child.removeAllListeners('message');
      this.#keepAlive(false);
    }
  }

  /** Ends the process immediately. */
  end(): void {
    this.#child.kill('SIGKILL');
  }

  #keepAlive(isBusy: boolean): void {
    const { channel } = this.#child;
    if (isBusy) {
      this.#child.ref();
      channel?.ref();
    } else {
      this.#child.unref();
      channel?.unref();
    }
  }
}

function notStarted(cause: Error): Problem {
  return new Problem('UNAVAILABLE', 'Files cannot be read right now. Try again shortly.', {
    retryAfterSeconds: 2,
    cause,
  });
}
